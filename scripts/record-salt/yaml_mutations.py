"""Documents as people write them (settings and states) with the slips of an editor, and soups of marks, from a seed."""
import random

REALISTIC = [
    "nginx:\n  pkg.installed:\n    - version: 1.24.0\n  service.running:\n    - enable: True\n    - watch:\n      - pkg: nginx\n      - file: /etc/nginx/nginx.conf\n",
    "/etc/nginx/nginx.conf:\n  file.managed:\n    - source: salt://nginx/files/nginx.conf\n    - template: jinja\n    - mode: 0644\n    - user: root\n    - context:\n        port: 8080\n        names: [a.example.com, b.example.com]\n",
    "base:\n  '*':\n    - common\n    - users\n  'web*':\n    - nginx\n  'G@os:Debian and not db*':\n    - match: compound\n    - debian\n",
    "users:\n  alice:\n    uid: 1001\n    shell: /bin/bash\n    groups: [sudo, adm]\n    keys:\n      - ssh-ed25519 AAAAC3Nza alice@host\n  bob:\n    uid: 1002\n    locked: yes\n",
    "defaults: &defaults\n  retries: 3\n  timeout: 30s\nweb:\n  <<: *defaults\n  timeout: 60s\ndb:\n  <<: *defaults\n",
    "ports:\n  443: https\n  80: http\n  22:\n    name: ssh\n    open: no\nmodes: {file: 0644, dir: 0755}\n",
    "motd: |\n  Welcome to {host}.\n\n    indented\n  # no comment\nbanner: >-\n  one line\n  of text\n\n  and another\nempty: ''\n",
    "deploy:\n  cmd.run:\n    - name: |\n        set -e\n        cd /srv/app && git pull\n    - unless: test \"$(git rev-parse HEAD)\" = 'abc'\n    - onlyif:\n      - 'test -d /srv/app'\n      - \"echo \\\"x\\\" | grep -q x\"\n    - env:\n      - PATH: /usr/bin:/bin\n",
    "# settings of the firewall\nfirewall:\n  enabled: true   # always\n  rules:\n    - {proto: tcp, port: 22, from: 10.0.0.0/8}\n    - {proto: tcp,\n       port: 443}\n    - proto: udp\n      port: 53\n  matrix: [[1, 2],\n    [3, 4]]\n",
    "include:\n  - .config\n  - common.users\n\nextend:\n  nginx:\n    service:\n      - watch:\n        - file: /etc/x\n\n{% set x = 1 %}\n",
    "app:\n  url: http://example.com:8080/a?b=c#d\n  time: '12:30'\n  date: 2024-01-02\n  version: \"1.10\"\n  ratio: 1.5e+3\n  path: C:\\Program Files\n  glob: \"*.log\"\n  msg: it's \"quoted\" text\n  none: ~\n  list:\n  - a\n  - b: 1\n    c: 2\n",
    "? complex key\n: - item 1\n  - item 2\n? simple\n: value\nlong text: first line\n  second line\n\n  after a blank\ntagged: !!str 123\nbin: !!binary aGVsbG8=\n",
]

INSERTS = [" ", "  ", "\t", "\n", ":", ": ", "- ", "-", "[", "]", "{", "}", ",", ", ", "'", '"', "#", " #", "# ", "&a ", "*a", "!", "!!str ", "|", ">", "|\n", "? ", "?", "%", "@", "`", "\\", "---\n", "...\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", "\u00a0", "\ufeff", "<<: ", "=", "~", "0", "é", "😀", "x: 1\n", "{{ x }}"]


def mutated(text, rng):
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    how = rng.randrange(14)
    if how == 0:
        lines[at] = " " * rng.choice([1, 2, 4]) + lines[at]
    elif how == 1:
        lines[at] = lines[at][rng.choice([1, 2]) :]
    elif how == 2:
        lines[at] = lines[at].replace("  ", "\t", 1)
    elif how == 3:
        lines[at] += rng.choice([" # note", "#note", " ", "\t", ",", ":", " |", " >-", "\\", " \\"])
    elif how == 4:
        del lines[at]
    elif how == 5:
        lines.insert(at, rng.choice(["", "  ", "# left", "    # right", "\t", lines[rng.randrange(len(lines))], "---", "...", "key: value", "- item"]))
    elif how == 6:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif how == 7:
        whole = "\n".join(lines)
        return rng.choice(["\r\n", "\r", "\u0085", "\u2028"]).join(lines) if rng.random() < 0.5 else rng.choice(["\ufeff", "---\n", "%YAML 1.1\n---\n", " ", "\n"]) + whole
    elif how == 8:
        head, colon, value = lines[at].partition(": ")
        lines[at] = head + colon + rng.choice(["'%s'", '"%s"', "[%s]", "{%s}", "&x %s", "!!str %s", "|\n%s", "'%s", '"%s', "%s'"]) % value
    elif how == 9:
        lines[at] = lines[at].rstrip() + "\n" + " " * rng.randrange(8) + rng.choice(["more text", "- more", "more: text", "'more'", "[more]", "# more", "more, text"])
    elif how == 10:
        return "\n".join(lines).rstrip("\n") + rng.choice(["", "\n", "\n\n", " ", "\n ", "\n...\n", "\n---\n", "\n# end"])
    else:
        whole = "\n".join(lines)
        place = rng.randrange(len(whole) + 1)
        if how == 11:
            return whole[:place] + whole[place + rng.choice([1, 1, 2, 5]) :]
        return whole[:place] + rng.choice(INSERTS) + whole[place:]
    return "\n".join(lines)


def mutated_documents(seed):
    number = 0
    while True:
        rng = random.Random(f"slips {seed} {number}")
        text = rng.choice(REALISTIC)
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            text = mutated(text, rng)
        yield text
        number += 1


SOUP = ["a", "b", "k", "1", "0644", "yes", " ", " ", " ", "  ", "\n", "\n", "\n", "\n  ", "\n    ", "\t", ": ", ":", "- ", "-", "? ", "?", ", ", ",", "[", "]", "{", "}", "'", "''", '"', "\\", "\\n", "#", " # c", "&a ", "&b", "*a", "*b ", "!", "!!str ", "!x ", "|\n", ">\n", "|-", ">+", "|2\n", "---", "--- ", "...", "%YAML 1.1\n", "<<: ", "<<", "=", "~", "@", "`", "%", "\r\n", "\r", "\u0085", "\u2028", "\ufeff", "é", "😀"]


def soup_documents(seed):
    """Marks and words in any order: most are wrong, and what is not is what nobody would have thought of."""
    number = 0
    while True:
        rng = random.Random(f"soup {seed} {number}")
        yield "".join(rng.choice(SOUP) for _ in range(rng.randint(2, 14)))
        number += 1
