"""Made-up machines for the whole-file cases: what Salt calls grains, pillar and mine."""


def users(*names):
    return {
        name: {
            "uid": 1000 + index,
            "fullname": name.title() + " Example",
            "shell": "/bin/bash" if index % 2 == 0 else "/bin/zsh",
            "groups": ["sudo", "docker"][: index % 3],
            "ssh_keys": [f"ssh-ed25519 AAAAC3{name} {name}@laptop"] * (index % 2 + 1),
            "absent": index == 3,
        }
        for index, name in enumerate(names)
    }


MACHINES = {
    "deb-web": {
        "grains": {
            "id": "web01.example.com", "host": "web01", "fqdn": "web01.example.com", "domain": "example.com",
            "os": "Debian", "os_family": "Debian", "oscodename": "bookworm", "osmajorrelease": 12, "osrelease": "12.5",
            "osarch": "amd64", "kernel": "Linux", "kernelrelease": "6.1.0-18-amd64", "init": "systemd", "virtual": "kvm",
            "num_cpus": 4, "mem_total": 7957, "roles": ["web", "tls"], "env": "prod",
            "ipv4": ["10.0.1.11", "127.0.0.1"], "ip4_interfaces": {"lo": ["127.0.0.1"], "eth0": ["10.0.1.11"]},
            "fqdn_ip4": ["10.0.1.11"], "saltversion": "3006.9", "selinux": {"enabled": False},
        },
        "pillar": {
            "users": users("alice", "bob", "carol", "dave"),
            "nginx": {
                "version": "1.22", "worker_processes": 4, "user": "www-data",
                "vhosts": {
                    "www.example.com": {"root": "/srv/www", "port": 443, "tls": True, "aliases": ["example.com"],
                                        "locations": {"/": {"try_files": "$uri $uri/ =404"}, "/api": {"proxy": "http://127.0.0.1:8000"}}},
                    "static.example.com": {"root": "/srv/static", "port": 80, "tls": False, "aliases": []},
                },
            },
            "packages": ["curl", "vim", {"htop": "3.2.2-2"}, "git"],
            "sysctl": {"net.ipv4.ip_forward": 1, "vm.swappiness": 10, "net.core.somaxconn": 4096, "kernel.domainname": "example.com"},
            "ssh": {"port": 22, "permit_root": "no", "allow_users": ["alice", "bob"], "match": [{"cond": "Group sftp", "opts": {"ChrootDirectory": "%h", "ForceCommand": "internal-sftp"}}]},
            "firewall": {"enabled": True, "rules": [{"port": 22, "proto": "tcp", "from": "10.0.0.0/8"}, {"port": 80}, {"port": 443, "proto": "tcp"}]},
            "cron": {"backup": {"minute": 0, "hour": 3, "cmd": "/usr/local/bin/backup --all"}, "clean": {"special": "@daily", "cmd": "find /tmp -mtime +7 -delete"}},
            "ntp": {"servers": ["0.pool.ntp.org", "1.pool.ntp.org iburst"], "driftfile": None},
            "db": {"engine": "postgresql", "port": 5432, "databases": ["app", "stats"], "tuning": {"shared_buffers": "25%", "work_mem": 4.5}},
            "timezone": "Europe/Berlin", "motd": "Welcome to {{ host }}\nBe nice.", "empty_dict": {}, "empty_list": [], "a_null": None, "debug": False,
            "mounts": [{"dev": "/dev/sdb1", "at": "/data", "fs": "ext4", "opts": ["noatime", "nodev"]}, {"dev": "nas:/vol", "at": "/mnt/nas", "fs": "nfs"}],
            "apps": {"shop": {"port": 8000, "workers": 3, "env": {"DEBUG": False, "NAME": "shop \"1\"", "RATE": 0.25}}, "blog": {"port": 8001, "env": {}}},
        },
        "mine": {"network.ip_addrs": {"web01": ["10.0.1.11"], "web02": ["10.0.1.12", "192.168.7.2"], "db01": ["10.0.2.21"]}},
    },
    "deb-db": {
        "grains": {
            "id": "db01.example.com", "host": "db01", "fqdn": "db01.example.com", "domain": "example.com",
            "os": "Ubuntu", "os_family": "Debian", "oscodename": "noble", "osmajorrelease": 24, "osrelease": "24.04",
            "osarch": "arm64", "kernel": "Linux", "kernelrelease": "6.8.0", "init": "systemd", "virtual": "physical",
            "num_cpus": 32, "mem_total": 128802, "roles": ["db"], "env": "prod",
            "ipv4": ["10.0.2.21", "127.0.0.1", "172.17.0.1"], "ip4_interfaces": {"lo": ["127.0.0.1"], "bond0": ["10.0.2.21"], "docker0": ["172.17.0.1"]},
            "fqdn_ip4": ["10.0.2.21"], "saltversion": "3007.1", "selinux": {"enabled": False},
        },
        "pillar": {
            "users": users("postgres-admin"),
            "db": {"engine": "postgresql", "port": 5433, "version": 16, "databases": [], "replicas": ["db02", "db03"],
                   "tuning": {"shared_buffers": "40%", "work_mem": 64, "fsync": True, "jit": False},
                   "hba": [["host", "all", "all", "10.0.0.0/8", "scram-sha-256"], ["local", "all", "postgres", "", "peer"]]},
            "packages": [], "sysctl": {"vm.nr_hugepages": 512}, "ssh": {}, "firewall": {"enabled": False},
            "ntp": {"servers": []}, "timezone": "UTC", "motd": "", "empty_dict": {}, "empty_list": [], "a_null": None, "debug": True,
            "mounts": [], "cron": {}, "nginx": {}, "apps": {},
        },
        "mine": {},
    },
    "rh-app": {
        "grains": {
            "id": "app-7.internal", "host": "app-7", "fqdn": "app-7.internal", "domain": "internal",
            "os": "Rocky", "os_family": "RedHat", "oscodename": "Blue Onyx", "osmajorrelease": 9, "osrelease": "9.4",
            "osarch": "x86_64", "kernel": "Linux", "kernelrelease": "5.14.0-427.el9", "init": "systemd", "virtual": "VMware",
            "num_cpus": 8, "mem_total": 15731, "roles": ["app", "web", "queue"], "env": "staging",
            "ipv4": ["192.168.50.7", "127.0.0.1"], "ip4_interfaces": {"lo": ["127.0.0.1"], "ens192": ["192.168.50.7", "192.168.50.107"]},
            "fqdn_ip4": [], "saltversion": "3006.9", "selinux": {"enabled": True, "enforced": "Enforcing"},
        },
        "pillar": {
            "users": users("erin", "frank", "grace"),
            "nginx": {"worker_processes": "auto", "vhosts": {"app.internal": {"port": 8443, "tls": True, "root": "/opt/app/public", "aliases": ["app", "app.local"], "locations": {}}}, "gzip": False},
            "packages": [{"nginx": ">=1.20"}, "tar", {"jq": None}],
            "sysctl": {}, "ssh": {"port": 2222, "permit_root": "prohibit-password", "ciphers": ["aes256-gcm@openssh.com", "chacha20-poly1305@openssh.com"]},
            "firewall": {"enabled": True, "rules": [], "default": "drop"},
            "cron": {"rotate": {"minute": "*/15", "cmd": "logrotate /etc/logrotate.conf"}},
            "ntp": {"servers": ["ntp.internal"], "restrict": ["127.0.0.1", "::1"]}, "db": {"engine": "mariadb", "databases": ["queue"]},
            "timezone": "America/New_York", "motd": "STAGING", "empty_dict": {}, "empty_list": [], "a_null": None, "debug": True,
            "mounts": [{"dev": "UUID=1234-ABCD", "at": "/boot/efi", "fs": "vfat", "opts": [], "pass": 2}],
            "apps": {"queue": {"port": 5672, "workers": 12, "env": {"PATH": "/opt/bin:/usr/bin", "N": 10, "EMPTY": ""}, "after": ["network", "db"]}},
        },
        "mine": {"network.ip_addrs": {"app-7": ["192.168.50.7"]}},
    },
    "suse-min": {
        "grains": {
            "id": "mini", "host": "mini", "fqdn": "mini", "domain": "", "os": "SUSE", "os_family": "Suse", "oscodename": "",
            "osmajorrelease": 15, "osrelease": "15.6", "osarch": "x86_64", "kernel": "Linux", "kernelrelease": "6.4.0", "init": "systemd",
            "virtual": "physical", "num_cpus": 1, "mem_total": 480, "roles": [], "env": "dev", "ipv4": ["127.0.0.1"],
            "ip4_interfaces": {"lo": ["127.0.0.1"]}, "fqdn_ip4": [], "saltversion": "3006.9", "selinux": {},
        },
        "pillar": {"empty_dict": {}, "empty_list": [], "a_null": None},
        "mine": {},
    },
    "bsd-gw": {
        "grains": {
            "id": "gw.example.org", "host": "gw", "fqdn": "gw.example.org", "domain": "example.org",
            "os": "FreeBSD", "os_family": "FreeBSD", "oscodename": "14.1-RELEASE", "osmajorrelease": 14, "osrelease": "14.1",
            "osarch": "amd64", "kernel": "FreeBSD", "kernelrelease": "14.1-RELEASE", "init": "rc", "virtual": "physical",
            "num_cpus": 2, "mem_total": 4005, "roles": ["gateway", "dns"], "env": "prod",
            "ipv4": ["203.0.113.1", "10.0.0.1", "127.0.0.1"], "ip4_interfaces": {"lo0": ["127.0.0.1"], "em0": ["203.0.113.1"], "em1": ["10.0.0.1"]},
            "fqdn_ip4": ["203.0.113.1"], "saltversion": "3006.9", "selinux": {},
        },
        "pillar": {
            "users": users("root-ops", "heidi"),
            "firewall": {"enabled": True, "default": "block", "rules": [{"port": "53", "proto": "udp", "from": "10.0.0.0/24"}, {"port": 8000, "proto": "tcp", "to": "10.0.0.9", "comment": "shop \u2192 dmz"}]},
            "dns": {"zones": {"example.org": {"serial": 2024051201, "ttl": 3600, "records": [["@", "A", "203.0.113.1"], ["www", "CNAME", "@"], ["mx", "A", "203.0.113.2"]]}, "lan": {"serial": 7, "records": []}}},
            "dhcp": {"subnets": [{"net": "10.0.0.0", "mask": "255.255.255.0", "range": ["10.0.0.100", "10.0.0.200"], "router": "10.0.0.1"}], "hosts": {"printer": {"mac": "00:11:22:33:44:55", "ip": "10.0.0.50"}, "nas": {"mac": "aa:bb:cc:dd:ee:ff", "ip": "10.0.0.51"}}},
            "sysctl": {"net.inet.ip.forwarding": 1}, "ntp": {"servers": ["time.example.org"]}, "packages": ["bash", "sudo"],
            "ssh": {"port": 22, "allow_users": []}, "timezone": "Europe/Zürich", "motd": "Grüezi — gateway", "empty_dict": {}, "empty_list": [], "a_null": None, "debug": False,
            "nginx": {"vhosts": {}}, "cron": {}, "mounts": [], "apps": {}, "db": {},
        },
        "mine": {"network.ip_addrs": {}},
    },
}
