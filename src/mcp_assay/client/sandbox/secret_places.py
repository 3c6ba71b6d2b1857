"""Where users keep what nobody else may read, and what is planted there instead."""

from __future__ import annotations

import os
import pwd
import re
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from glob import glob
from itertools import islice
from typing import Final

from mcp_assay.client.sandbox.layout import mounts, second_names

PLACES_IN_HOME: Final = """
    .ssh .aws .azure .gnupg .kube .docker .netrc .pgpass .my.cnf .git-credentials .npmrc .pypirc
    .vault-token .terraform.d .password-store .ansible .boto .s3cfg .mylogin.cnf .subversion/auth
    .cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml
    .gradle/gradle.properties
    .config/gh .config/gcloud .config/hub .config/doctl .config/rclone .config/op .config/sops
    snap .var/app
    .config/Bitwarden .config/heroku .config/stripe .config/configstore .config/github-copilot
    .config/containers/auth.json .config/git/credentials .config/google-chrome .config/chromium
    .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera .mozilla .thunderbird
    .local/share/keyrings .local/share/kwalletd .local/share/gnome-keyring
    .local/share/containers/auth.json
    .claude.json .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json
    .config/Claude .cursor/mcp.json .bash_history .zsh_history .python_history .node_repl_history
    .psql_history .mysql_history .sqlite_history .rediscli_history .lesshst
    .Xauthority .ICEauthority
    .local/share/fish/fish_history .viminfo .databrickscfg .snowsql .kaggle .terraformrc .yarnrc.yml
    .pip/pip.conf .config/pip/pip.conf .config/uv/credentials .local/share/uv/credentials
    .huggingface .cache/huggingface/token .config/age .config/solana .bitcoin .ethereum .electrum
    .config/Code/User/globalStorage .config/Cursor/User/globalStorage .config/Slack .config/discord
    .config/Signal .config/keepassxc .config/syncthing
    .config/Windsurf/User/globalStorage .config/VSCodium/User/globalStorage
    .config/Code/User/mcp.json .codeium .continue .cline .copilot .openai .anthropic .config/openai
    .config/anthropic .local/share/opencode/auth.json .config/goose
    .ipython/profile_default/history.sqlite .jupyter .oci .fly .config/fly .railway .vercel
    .local/share/com.vercel.cli .netlify .config/netlify .wrangler .config/.wrangler .pulumi
    .supabase .minikube .config/hcloud .config/scw .config/linode-cli .ngrok2 .config/ngrok .tsh
    .step .acme.sh .chef .erlang.cookie .cvspass .authinfo .authinfo.gpg .msmtprc .fetchmailrc
    .muttrc .mutt .smbcredentials .davfs2 .lftp .putty .local/share/remmina .config/remmina
    .config/filezilla .purple .pki .config/1Password .config/Element .config/Nextcloud
    .config/evolution .local/share/evolution .local/share/rbw .config/gopass .local/share/gopass
    .local/share/TelegramDesktop .config/nushell/history.txt .irb_history .mongodb .dbshell
    .composer/auth.json .config/composer/auth.json .bundle/config .m2/settings-security.xml
    .nuget/NuGet .sbt/.credentials .ivy2/.credentials
"""
IN_HOME: Final = tuple(PLACES_IN_HOME.split())
PLACES_IN_SYSTEM: Final = """
    /etc/shadow /etc/gshadow /etc/shadow- /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/krb5.keytab
    /etc/wireguard /etc/openvpn /etc/NetworkManager/system-connections /etc/ssl/private
    /etc/letsencrypt /etc/kubernetes /etc/rancher /etc/docker /etc/pki/tls/private /etc/sssd
    /etc/ppp/chap-secrets /etc/ppp/pap-secrets /etc/mysql/debian.cnf /etc/wpa_supplicant
    /etc/security/opasswd /etc/credstore /etc/credstore.encrypted /var/lib/iwd /var/lib/bluetooth
    /var/lib/NetworkManager/secret_key /var/lib/sss/secrets /var/lib/tailscale /var/lib/kubelet
    /var/lib/systemd/credential.secret /var/mail /var/spool/mail /var/spool/cron
"""
IN_SYSTEM: Final = tuple(PLACES_IN_SYSTEM.split())
MOST_LINKS: Final = 500
"""So many entries of a secret folder are looked at for links to what lies elsewhere."""
HOST_KEYS: Final = "/etc/ssh/ssh_host_*_key"
PLANTED: Final[Mapping[str, str]] = {
    ".ssh/id_rsa": (
        "-----BEGIN OPENSSH PRIVATE KEY-----\n{secret}\n-----END OPENSSH PRIVATE KEY-----\n"
    ),
    ".aws/credentials": (
        "[default]\naws_access_key_id = AKIA{short}\naws_secret_access_key = {secret}\n"
    ),
    ".netrc": "machine api.example.com login deploy password {secret}\n",
    ".config/gh/hosts.yml": "github.com:\n    user: deploy\n    oauth_token: gho_{secret}\n",
    ".docker/config.json": '{{"auths": {{"registry.example.com": {{"auth": "{secret}"}}}}}}\n',
}
"""Worthless secrets in the forms that thieves look for."""
DRAWN: Final = r"[0-9a-f]{40}"


def hidden_places(environment: Mapping[str, str]) -> list[str]:
    """Every secret place that is really there: of this user, and of all whose files it may read."""
    homes = {os.path.realpath(home) for home in _homes(environment)}
    paths = [f"{home}/{name}" for home in sorted(homes) for name in IN_HOME]
    paths += (*IN_SYSTEM, *glob(HOST_KEYS))
    found = [path for path in paths if os.path.lexists(path)]
    real = (os.path.realpath(path) for path in found)
    linked = (one for path in found for one in _linked(path, homes))
    known, mounted = dict.fromkeys((*found, *real, *linked)), mounts()
    others = (name for path in known for name in second_names(path, mounted))
    return list(dict.fromkeys((*known, *others)))


def _linked(folder: str, homes: Collection[str]) -> Iterator[str]:
    """The files of homes that links in a secret folder lead to: some keep theirs elsewhere."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in islice(entries, MOST_LINKS):
            target = os.path.realpath(entry.path) if entry.is_symlink() else ""
            if os.path.isfile(target) and any(target.startswith(f"{home}/") for home in homes):
                yield target


def _homes(environment: Mapping[str, str]) -> list[str]:
    own = environment.get("HOME") or os.path.expanduser("~")
    others = [one.pw_dir for one in pwd.getpwall()] if os.geteuid() == 0 else []
    return [own, pwd_home(), *(home for home in others if home not in ("/", ""))]


def pwd_home() -> str:
    """The home of this user by the list of users; that of the environment where it has none."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_dir
    except KeyError:
        return os.path.expanduser("~")


def drawn_by_lot(text: str) -> str:
    """The part of a planted file that nobody else has."""
    return max(re.findall(DRAWN, text), key=len, default="")


def planted_secrets(environment: Mapping[str, str], shown: Collection[str]) -> dict[str, str]:
    """Files to plant, by path; none where the user's own stay visible."""
    home = environment.get("HOME")
    if not home or not os.path.isdir(home):
        return {}
    planted = {}
    for name, form in PLANTED.items():
        path = f"{os.path.realpath(home)}/{name}"
        if not any(path == one or path.startswith(one + "/") for one in shown):
            planted[path] = form.format(secret=secrets.token_hex(20), short=secrets.token_hex(8))
    return planted
