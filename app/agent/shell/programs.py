"""What is known of programs that a shell command may name (A12): tables, from which `access.py` judges."""

import re
from dataclasses import dataclass


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


REFUSED = re.compile(
    r"mkfs(?:\..+)?|mke2fs|newfs\w*|s?fdisk|cfdisk|c?gdisk|sgdisk|parted|wipefs|mkswap|blkdiscard|hdparm|cryptsetup"
    r"|[lvp]v(?:remove|reduce)|vgremove|badblocks|grub2?-.+|grub|update-grub2?|efibootmgr|bootctl|bcdedit|diskpart"
    r"|diskutil|format|shutdown|reboot|poweroff|halt|telinit|init"
)
DEVICE = re.compile(
    r"/dev/(?:[shv]d[a-z]|xvd|nvme|mmcblk|disk|rdisk|mapper|dm-|md\d|loop|mem|kmem|port|sr\d|block|zd)\w*.*"
)
HARMLESS_DEVICES = _names("/dev/null /dev/stdout /dev/stderr /dev/stdin")
SHELLS = _names("sh bash dash zsh ksh mksh ash rbash")
INTERPRETER = re.compile(
    r"python[\d.]*w?|pypy[\d.]*|node|nodejs|deno|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|luajit|rscript|tclsh"
    r"|osascript|pwsh|powershell|cmd|wscript|cscript|groovy|julia|ghci|guile|irb"
)
UNSEEN = _names(
    # the first line: no programs, but what only the shell makes something of
    "! { } if then else elif fi do done while until"
    " eval source . trap alias unalias enable builtin hash set shopt bind complete read mapfile readarray getopts unset"
    " pushd popd dirs fc su pkexec runuser crontab at batch systemctl service launchctl sysctl iptables nft ufw mount"
    " umount chroot unshare nsenter useradd usermod userdel groupadd passwd chpasswd visudo insmod rmmod modprobe setcap"
    " parallel script watch flock strace ltrace gdb killall pkill reg netsh sc schtasks wmic dscl spctl csrutil del erase"
    " rd fish csh tcsh nu elvish zpool zfs btrfs losetup swapoff debugfs"
)
"""What they do can't be told from the words, or it outlasts the command."""
DECLARING = _names("export declare typeset local readonly")
WHOLE = _names(
    "awk gawk mawk nawk sed tar bsdtar vim vi nvim ed ex emacs zip unzip less more man sort split openssl find fd git-shell"
    " npx bunx uvx pipx make-kpkg test [ chmod chown chgrp kill printf tee dd env xargs rg grep cd"
)
"""They run, or touch, whatever their arguments say: the rule is the whole command."""
WRITING = {
    # program: options that neither take a value nor name a place
    "cp": re.compile(r"-[abdfinpPrRuvxTLH]+|--recursive|--archive|--force|--verbose|--no-clobber"),
    "mv": re.compile(r"-[bfinuvT]+|--force|--verbose|--no-clobber"),
    "ln": re.compile(r"-[sfnvTrbL]+|--symbolic|--force|--relative|--verbose"),
    "mkdir": re.compile(r"-[pv]+|--parents|--verbose"),
    "touch": re.compile(r"-[acmh]+|--no-create"),
    "tee": re.compile(r"-[aip]+|--append"),
    "truncate": re.compile(r"-[co]|--size=\d+\w?|-s\d+\w?"),
}
DELETING = _names("rm rmdir unlink shred srm trash trash-put rimraf")
NET = _names(
    "curl wget ssh scp sftp rsync nc ncat netcat socat telnet ftp lftp aria2c http https xh gh glab hub dig nslookup host"
    " ping traceroute whois aws az gcloud gsutil kubectl rclone mosh yt-dlp ngrok mail sendmail"
)
NET_PARTS = {
    "git": _names(
        "push pull fetch clone ls-remote submodule remote archive send-email lfs svn p4 request-pull"
    ),
    "docker": _names("pull push login search"),
    "podman": _names("pull push login search"),
    "npm": _names("publish login view search audit outdated unpublish deprecate"),
    "cargo": _names("publish login search fetch"),
    "twine": _names("upload"),
}
INSTALLING = {
    **dict.fromkeys(("pip", "pip3", "pipx"), _names("install uninstall download wheel inject upgrade run")),
    "uv": _names("pip add remove sync tool lock python"),
    **dict.fromkeys(("poetry", "pdm", "rye", "hatch"), _names("add remove install update sync self lock")),
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "bun"),
        _names("install i add ci update up remove uninstall rm link upgrade dlx create init"),
    ),
    **dict.fromkeys(
        (
            "apt",
            "apt-get",
            "aptitude",
            "dnf",
            "yum",
            "zypper",
            "brew",
            "apk",
            "snap",
            "flatpak",
            "port",
            "choco",
            "winget",
            "scoop",
        ),
        _names(
            "install remove purge update upgrade dist-upgrade full-upgrade autoremove add del reinstall uninstall tap"
        ),
    ),
    "cargo": _names("install uninstall add remove update"),
    "go": _names("install get"),
    "gem": _names("install uninstall update"),
    "bundle": _names("install update add"),
    "composer": _names("install require update remove"),
    **dict.fromkeys(("conda", "mamba", "micromamba"), _names("install create remove update env")),
    "dotnet": _names("add tool workload"),
    "rustup": _names("install update default toolchain component target"),
    "helm": _names("install upgrade uninstall"),
}
INSTALLERS = _names("pacman dpkg rpm easy_install npm-install installer msiexec make-install")
PARTED = _names(
    "git make npm pnpm yarn bun cargo go docker podman docker-compose poetry pdm hatch uv pip pip3 dotnet bundle composer"
) | _names(
    "terraform flutter dart mvn gradle conda brew apt apt-get helm rustup just nx turbo mix rake bazel"
)
"""Of what they do, the first argument tells."""
RUNNING = _names(
    "run exec x start create compose shell tool bisect filter-branch rebase config difftool mergetool foreach"
)
"""As a first argument: runs what the others say."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A program that runs another one."""

    flags: re.Pattern[str]
    values: frozenset[str] = frozenset()
    """Options whose value is the next word."""
    n_words: int = 0
    """Its own, before the other's."""


def _wrapper(flags: str, values: str = "", n_words: int = 0) -> Wrapper:
    return Wrapper(re.compile(flags), _names(values), n_words)


WRAPPERS = {
    "sudo": _wrapper(r"-[nEHSkbA]+", "-u -g --user --group -p -C"),
    "doas": _wrapper(r"-[n]", "-u"),
    "env": _wrapper(r"-i|--ignore-environment|-0", "-u --unset"),
    "nice": _wrapper(r"-\d+|-n-?\d+", "-n"),
    "timeout": _wrapper(
        r"-v|--foreground|--preserve-status|--(?:signal|kill-after)=\w+|-[sk]\w+", "-s -k", 1
    ),
    "gtimeout": _wrapper(r"--foreground|--preserve-status", "-s -k", 1),
    "nohup": _wrapper(r"(?!)"),
    "setsid": _wrapper(r"-[fwc]+"),
    "stdbuf": _wrapper(r"-[ioe]\w+", "-i -o -e"),
    "time": _wrapper(r"-[pv]"),
    "ionice": _wrapper(r"-[cn]\d", "-c -n"),
    "caffeinate": _wrapper(r"-[disu]+"),
    "command": _wrapper(r"-p"),
    "exec": _wrapper(r"-[cl]+"),
    "busybox": _wrapper(r"(?!)"),
    "toybox": _wrapper(r"(?!)"),
    "xargs": _wrapper(r"-[0rtx]+|--null|--no-run-if-empty|-[nLPsdEI]\S+", "-n -L -P -I -d -s -E"),
}

READING = {
    # program: the options with which it only reads the files it names
    "ls": re.compile(r"-[A-Za-z1]+|--(?:all|almost-all|human-readable|color(?:=\w+)?)"),
    "cat": re.compile(r"-[AbeEnstTuv]+"),
    "head": re.compile(r"-[ncqv]?[+-]?\d*|--(?:lines|bytes)=-?\d+"),
    "tail": re.compile(r"-[ncqv]?[+-]?\d*|--(?:lines|bytes)=[+-]?\d+"),
    "wc": re.compile(r"-[clmwL]+"),
    "nl": re.compile(r"-b[at]?"),
    "grep": re.compile(r"-[cEFGhHilLnoPqsvwxy]+|-[ABCm]\d*|--color(?:=\w+)?"),
    "rg": re.compile(r"-[cFilnoNsSvwxH]+|-[ABCm]\d*|--no-heading|--color=\w+"),
    "stat": re.compile(r"-[Lt]|-c"),
    "basename": re.compile(r"-a"),
    "dirname": re.compile(r"(?!)"),
    "pwd": re.compile(r"-[LP]"),
    "true": re.compile(r"(?!)"),
    "false": re.compile(r"(?!)"),
}
NAMING = _names("echo which type")
"""Their words are no paths, and nothing is read by them."""
SEARCHING = _names("grep rg")
GIT_READING = _names("status diff log show blame ls-files rev-parse shortlog describe")
GIT_WRITING_OPTIONS = (
    "--output",
    "--ext-diff",
    "--textconv",
    "--no-index",
    "--contents",
    "--open-files-in-pager",
)
GIT_LOSING = {"reset": ("--h",), "push": ("-f", "--f", "--d", "-d", "--m", "+", ":")}
"""What the words of a command begin with that loses work, or takes it from others."""
FINDING = _names(
    "-name -iname -type -maxdepth -mindepth -path -ipath -wholename -not -size -mtime -mmin -print -print0 -o -or -a -and"
    " -prune -empty -regex -iregex -perm"
)
STOPPING = re.compile(r"systemctl .*\b(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate)\b.*")
KEYRINGS = re.compile(
    r"(?:secret-tool (?:lookup|search)|security (?:find|dump|export)\S*|gpg2? .*--export-secret\S*|pass (?:show|ls)"
    r"|keyring get|cmdkey|kwallet-query|op (?:read|item)|bw (?:get|list)|gnome-keyring\S*|ssh-add -L)\b.*"
)
SPECIAL = re.compile(
    r"(?:HOME|PATH|IFS|CDPATH|ENV|BASH_\w+|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|PWD|OLDPWD|(?:LD|DYLD)_\w+)\+?=.*",
    re.DOTALL,
)
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=", re.ASCII)
PLAIN_MODULES = _names("pytest unittest mypy pyright ruff black isort flake8 build venv compileall")
"""Of Python: they run no text that they are given."""
FORK_BOMB = re.compile(r"(?<![\w:.])([\w:.]{1,40})\s{0,9}\(\)\s{0,9}\{[^}]{0,200}?\1\s{0,9}\|\s{0,9}\1")
"""Bounded, so that a long text takes no longer than a short one does."""
