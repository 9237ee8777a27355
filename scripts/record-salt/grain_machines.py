"""Made-up machines for the grains: what stands in their os-release and what they run on."""



def release(**fields):
    return "".join(f'{key}="{value}"\n' for key, value in fields.items())


def rhel_like(name, os_id, version, codename, like="rhel centos fedora", **more):
    text = release(NAME=name, VERSION=f"{version} ({codename})", ID=os_id, ID_LIKE=like, VERSION_ID=version,
                   PRETTY_NAME=f"{name} {version} ({codename})", **more)
    return {"/etc/os-release": text, "/etc/redhat-release": f"{name} release {version} ({codename})\n"}


def debian(version, codename, point):
    text = release(PRETTY_NAME=f"Debian GNU/Linux {version} ({codename})", NAME="Debian GNU/Linux", VERSION_ID=version,
                   VERSION=f"{version} ({codename})", VERSION_CODENAME=codename, ID="debian")
    return {"/etc/os-release": text, "/etc/debian_version": point + "\n"}


def ubuntu(version, codename, full):
    text = release(PRETTY_NAME=f"Ubuntu {full}", NAME="Ubuntu", VERSION_ID=version, VERSION=f"{full} ({codename})",
                   VERSION_CODENAME=codename, ID="ubuntu", ID_LIKE="debian", UBUNTU_CODENAME=codename)
    lsb = f'DISTRIB_ID=Ubuntu\nDISTRIB_RELEASE={version}\nDISTRIB_CODENAME={codename}\nDISTRIB_DESCRIPTION="Ubuntu {full}"\n'
    return {"/etc/os-release": text, "/etc/lsb-release": lsb, "/etc/debian_version": "trixie/sid\n"}


DISTRIBUTIONS = {
    "debian-11": debian("11", "bullseye", "11.9"),
    "debian-12": debian("12", "bookworm", "12.11"),
    "debian-sid": {"/etc/os-release": release(PRETTY_NAME="Debian GNU/Linux trixie/sid", NAME="Debian GNU/Linux", VERSION_CODENAME="trixie", ID="debian"),
                   "/etc/debian_version": "trixie/sid\n"},
    "ubuntu-22.04": ubuntu("22.04", "jammy", "22.04.4 LTS"),
    "ubuntu-24.04": ubuntu("24.04", "noble", "24.04.1 LTS"),
    "linuxmint-21": {"/etc/os-release": release(NAME="Linux Mint", VERSION="21.3 (Virginia)", ID="linuxmint", ID_LIKE="ubuntu debian", PRETTY_NAME="Linux Mint 21.3",
                                                VERSION_ID="21.3", VERSION_CODENAME="virginia", UBUNTU_CODENAME="jammy")},
    "raspbian-12": {"/etc/os-release": release(PRETTY_NAME="Raspbian GNU/Linux 12 (bookworm)", NAME="Raspbian GNU/Linux", VERSION_ID="12", VERSION="12 (bookworm)",
                                               VERSION_CODENAME="bookworm", ID="raspbian", ID_LIKE="debian")},
    "rhel-8": rhel_like("Red Hat Enterprise Linux", "rhel", "8.9", "Ootpa", like="fedora"),
    "rhel-9": rhel_like("Red Hat Enterprise Linux", "rhel", "9.5", "Plow", like="fedora"),
    "rocky-8": rhel_like("Rocky Linux", "rocky", "8.10", "Green Obsidian", like="rhel centos fedora"),
    "rocky-9": rhel_like("Rocky Linux", "rocky", "9.5", "Blue Onyx"),
    "almalinux-9": rhel_like("AlmaLinux", "almalinux", "9.4", "Seafoam Ocelot"),
    "centos-stream-9": {"/etc/os-release": release(NAME="CentOS Stream", VERSION="9", ID="centos", ID_LIKE="rhel fedora", VERSION_ID="9", PRETTY_NAME="CentOS Stream 9"),
                        "/etc/redhat-release": "CentOS Stream release 9\n"},
    "oracle-9": {"/etc/os-release": release(NAME="Oracle Linux Server", VERSION="9.4", ID="ol", ID_LIKE="fedora", VERSION_ID="9.4", PRETTY_NAME="Oracle Linux Server 9.4"),
                 "/etc/oracle-release": "Oracle Linux Server release 9.4\n"},
    "fedora-40": {"/etc/os-release": release(NAME="Fedora Linux", VERSION="40 (Server Edition)", ID="fedora", VERSION_ID="40", VERSION_CODENAME="",
                                             PRETTY_NAME="Fedora Linux 40 (Server Edition)", VARIANT="Server Edition", VARIANT_ID="server"),
                  "/etc/redhat-release": "Fedora release 40 (Forty)\n"},
    "opensuse-leap-15.6": {"/etc/os-release": release(NAME="openSUSE Leap", VERSION="15.6", ID="opensuse-leap", ID_LIKE="suse opensuse", VERSION_ID="15.6",
                                                      PRETTY_NAME="openSUSE Leap 15.6", CPE_NAME="cpe:/o:opensuse:leap:15.6")},
    "opensuse-tumbleweed": {"/etc/os-release": release(NAME="openSUSE Tumbleweed", ID="opensuse-tumbleweed", ID_LIKE="opensuse suse", VERSION_ID="20240612",
                                                       PRETTY_NAME="openSUSE Tumbleweed", CPE_NAME="cpe:/o:opensuse:tumbleweed:20240612")},
    "sles-15": {"/etc/os-release": release(NAME="SLES", VERSION="15-SP5", VERSION_ID="15.5", PRETTY_NAME="SUSE Linux Enterprise Server 15 SP5", ID="sles", ID_LIKE="suse",
                                           CPE_NAME="cpe:/o:suse:sles:15:sp5")},
    "amazon-2": {"/etc/os-release": release(NAME="Amazon Linux", VERSION="2", ID="amzn", ID_LIKE="centos rhel fedora", VERSION_ID="2", PRETTY_NAME="Amazon Linux 2",
                                            CPE_NAME="cpe:2.3:o:amazon:amazon_linux:2")},
    "amazon-2023": {"/etc/os-release": release(NAME="Amazon Linux", VERSION="2023", ID="amzn", ID_LIKE="fedora", VERSION_ID="2023", PLATFORM_ID="platform:al2023",
                                               PRETTY_NAME="Amazon Linux 2023.5.20240708", CPE_NAME="cpe:2.3:o:amazon:amazon_linux:2023")},
    "arch": {"/etc/os-release": release(NAME="Arch Linux", PRETTY_NAME="Arch Linux", ID="arch", BUILD_ID="rolling")},
    "alpine-3.20": {"/etc/os-release": release(NAME="Alpine Linux", ID="alpine", VERSION_ID="3.20.1", PRETTY_NAME="Alpine Linux v3.20"),
                    "/etc/alpine-release": "3.20.1\n"},
}


def dmi(vendor, product, **more):
    fields = {"sys_vendor": vendor, "product_name": product, **more}
    return {f"/sys/class/dmi/id/{key}": value + "\n" for key, value in fields.items()}


HYPERVISOR = {"/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu vme hypervisor lm\n"}
BARE = {"/proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu vme lm\n"}

# The word is what systemd-detect-virt prints on such a machine; `none` where it prints that.
HARDWARE = {
    "physical": ("none", {**BARE, **dmi("Dell Inc.", "PowerEdge R640")}),
    "physical without dmi": ("none", BARE),
    "kvm": ("kvm", {**HYPERVISOR, **dmi("QEMU", "Standard PC (Q35 + ICH9, 2009)")}),
    "openstack": ("kvm", {**HYPERVISOR, **dmi("OpenStack Foundation", "OpenStack Nova")}),
    "vmware": ("vmware", {**HYPERVISOR, **dmi("VMware, Inc.", "VMware Virtual Platform")}),
    "virtualbox": ("oracle", {**HYPERVISOR, **dmi("innotek GmbH", "VirtualBox")}),
    "hyper-v": ("microsoft", {**HYPERVISOR, **dmi("Microsoft Corporation", "Virtual Machine")}),
    "xen hvm": ("xen", {**HYPERVISOR, **dmi("Xen", "HVM domU"), "/proc/xen/capabilities": "", "/sys/hypervisor/type": "xen\n"}),
    "xen pv": ("xen", {**BARE, "/proc/xen/capabilities": "", "/sys/hypervisor/type": "xen\n"}),
    "xen host": ("none", {**BARE, **dmi("Dell Inc.", "PowerEdge R640"), "/proc/xen/capabilities": "control_d\n", "/sys/hypervisor/type": "xen\n"}),
    "google": ("google", {**HYPERVISOR, **dmi("Google", "Google Compute Engine")}),
    "amazon nitro": ("amazon", {**HYPERVISOR, **dmi("Amazon EC2", "m5.large")}),
    "bhyve": ("bhyve", {**HYPERVISOR, **dmi("FreeBSD", "BHYVE")}),
    "docker": ("docker", {**HYPERVISOR, "/.dockerenv": ""}),
    "docker on cgroup v1": ("docker", {**HYPERVISOR, "/.dockerenv": "", "/proc/1/cgroup": "1:cpu:/docker/0123abcd\n"}),
    "podman": ("podman", {**HYPERVISOR, "/run/.containerenv": ""}),
    "lxc": ("lxc", {**BARE, "/run/systemd/container": "lxc\n", "/proc/1/environ": "container=lxc\0"}),
    "nspawn": ("systemd-nspawn", {**BARE, "/run/systemd/container": "systemd-nspawn\n"}),
}
