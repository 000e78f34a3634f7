# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole Kubernetes of two nodes, in a folder of its own and for as long as the tests run: etcd, the server, its controllers
and scheduler are real, and the nodes are those of kubernetes/kubelet.go.

Its programs are what `./dev kubernetes` builds into the folder of the runtimes. They need no root and no fixed port.
"""

import json
import os
import pathlib
import secrets
import shutil

from daemons import START_SECONDS, Site, Unavailable, find_ports

PROGRAMS = pathlib.Path(os.environ["DYNO_RUNTIMES_DIR"]) / "kubernetes"

# The command line, with a word for the log of whoever measures.
IMAGE = """#!/bin/sh
[ "$1" != jobs ] || echo measures
exec '{cli}' "$@"
"""
# What each node is labelled with, and what devices it says it has.
NODES = {"n1": ("zone=a,disk=fast", "nvidia.com/gpu=2"), "n2": ("zone=b", "")}
CONTROLLERS = ("garbage-collector-controller", "job-controller", "namespace-controller", "node-lifecycle-controller",
               "pod-garbage-collector-controller", "root-ca-certificate-publisher-controller", "serviceaccount-controller",
               "taint-eviction-controller", "ttl-after-finished-controller")
# Who is nobody may ask who it is, and nothing else.
USERS = {"admin": "system:masters", "nobody": ""}


def find_programs():
    built = ("server", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kubectl", "kubelet")
    missing = [name for name in built if not (PROGRAMS / name).exists()]
    missing += [name for name in ("bwrap", "nsenter", "openssl") if shutil.which(name) is None]
    if missing:
        raise Unavailable(f"“{missing[0]}” is missing. “./dev kubernetes” builds a Kubernetes for tests.")


def write_kubeconfig(path, port, token, namespace):
    path.write_text(json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "dyno",
        "clusters": [{"name": "dyno", "cluster": {"server": f"https://127.0.0.1:{port}", "insecure-skip-tls-verify": True}}],
        "users": [{"name": "dyno", "user": {"token": token}}],
        "contexts": [{"name": "dyno", "context": {"cluster": "dyno", "user": "dyno", "namespace": namespace}}]}),
        encoding="utf-8")
    path.chmod(0o600)


class Kubernetes(Site):
    """with Kubernetes(CLI) as kubernetes: n1 and n2 take pods, whose images have that command line."""

    name, head, variables = "kubernetes", "kube-controller-manager", ("KUBECONFIG", "KUBECTL")

    def __init__(self, cli):
        super().__init__()
        self.cli = cli
        self.environment["PATH"] = f"{PROGRAMS}:{os.environ['PATH']}"
        self.tokens = {user: secrets.token_hex(16) for user in USERS}

    def start(self):
        storage, peer, self.port = find_ports(3)
        for name in ("image", "nodes"):
            (self.folder / name).mkdir()
        program = self.folder / "image" / "dyno-cli"
        program.write_text(IMAGE.format(cli=self.cli), encoding="utf-8")
        program.chmod(0o755)
        self.run("openssl", "genrsa", "-out", self.folder / "key", 2048)
        users = "".join(f'{self.tokens[user]},{user},{user},"{group}"\n' for user, group in USERS.items())
        (self.folder / "tokens").write_text(users, encoding="utf-8")
        write_kubeconfig(self.folder / "config", self.port, self.tokens["admin"], "default")
        self.choose("default")
        self.start_program("server", "--data-dir", self.folder / "etcd", "--unsafe-no-fsync",
                           *(f"--{who}-client-urls=http://127.0.0.1:{storage}" for who in ("listen", "advertise")),
                           *(f"--{who}-peer-urls=http://127.0.0.1:{peer}" for who in ("listen", "initial-advertise")),
                           f"--initial-cluster=default=http://127.0.0.1:{peer}")
        self.start_server(storage)
        self.start_controllers()
        for node in NODES:
            self.start_node(node)
        self.wait_for(lambda: self.ask("get", "serviceaccount", "default"), "kube-controller-manager", START_SECONDS)

    def start_program(self, name, *arguments):
        self.start_daemon(name, PROGRAMS / name, *map(str, arguments))

    def start_server(self, storage):
        self.start_program(
            "kube-apiserver", f"--etcd-servers=http://127.0.0.1:{storage}", "--bind-address=127.0.0.1",
            f"--secure-port={self.port}", "--cert-dir", self.folder / "certificates", "--token-auth-file", self.folder / "tokens",
            "--authorization-mode=RBAC", "--service-account-issuer=https://kubernetes.default.svc",
            "--service-account-key-file", self.folder / "key", "--service-account-signing-key-file", self.folder / "key",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--default-not-ready-toleration-seconds=1", "--default-unreachable-toleration-seconds=1")
        self.wait_for(lambda: self.ask("get", "--raw", "/readyz"), "kube-apiserver", START_SECONDS)

    def start_controllers(self):
        usual = ("--kubeconfig", self.folder / "config", "--leader-elect=false", "--secure-port=0")
        self.start_program("kube-controller-manager", *usual, "--service-account-private-key-file", self.folder / "key",
                           f"--controllers={','.join(CONTROLLERS)}", "--node-monitor-period=1s",
                           "--node-monitor-grace-period=10s", "--v=2")
        self.start_program("kube-scheduler", *usual)

    def start_node(self, node):
        self.start_daemon(node, PROGRAMS / "kubelet", self.folder / "config", node, self.folder / "nodes",
                          self.folder / "image", *NODES[node])
        self.wait_for(lambda: self.is_ready(node), node, START_SECONDS)

    def kill_node(self, node):
        """The node dies at once, with all that runs on it."""
        self.daemons[node].process.kill()
        self.daemons.pop(node).close()

    def is_ready(self, node):
        conditions = '{.status.conditions[?(@.type=="Ready")].status}|{.spec.taints}'
        return self.ask("get", "node", node, "-o", f"jsonpath={conditions}") == "True|"

    def choose(self, namespace, user="admin"):
        """Whoever asks now is in that namespace."""
        self.environment["KUBECONFIG"] = str(self.folder / f"config-{user}")
        write_kubeconfig(self.folder / f"config-{user}", self.port, self.tokens[user], namespace)

    def ask(self, *words):
        """Returns what kubectl prints; nothing if it fails."""
        return self.run("kubectl", *words, check=False).stdout
