"""What tests of written-down commands share: a scratch copy of the tree, and the blocks of a page."""
import os
import pathlib
import subprocess
import sys
import tempfile


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


class Copy:
    """The tree and what is built in it, at its own place, for those alone who run in here: what they
    write, also to the other `folders`, is gone afterwards. What git does not know is not there, but for
    builds."""

    def __init__(self, source, *folders):
        self.source = pathlib.Path(source).resolve()
        self.layers = pathlib.Path(tempfile.mkdtemp(prefix="dmlcts-scratch-"))
        self.folder = self.layers / "0/upper"  # files written to the tree
        mounts = []
        for number, lower in enumerate((self.source, *folders)):
            upper, work = self.layers / str(number) / "upper", self.layers / str(number) / "work"
            upper.mkdir(parents=True)
            work.mkdir()
            mounts.append(f"mount -t overlay overlay -o lowerdir={lower},upperdir={upper},workdir={work}"
                          f"{',userxattr' if os.getuid() else ''} {lower}")
        self.spaces = ["unshare", "--mount", *(["--user", "--map-root-user"] if os.getuid() else [])]
        self.enter = [*self.spaces, "bash", "-c", f"{' && '.join(mounts)} && cd {self.source} && exec \"$@\"", "scratch"]
        cleaned = self.run("bash", "-c", "rm -rf build/report build/directml && "
                           "git clean -qffdx -e '/build*' -e node_modules")
        if cleaned.returncode:
            self.remove()
            skip(f"no scratch copy, which takes git and mounting overlays: {cleaned.stdout}")

    def popen(self, *command, **options):
        return subprocess.Popen([*self.enter, *command], **options)

    def run(self, *command, **options):
        return subprocess.run([*self.enter, *command], text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)

    def remove(self):
        subprocess.run([*self.spaces, "rm", "-rf", self.layers], check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()


def parsed(page):
    """The tokens of a Markdown page, flat, each with the line that its block begins in."""
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        skip("no markdown-it (Debian package python3-markdown-it)")
    line = 0
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text()):
        line = token.map[0] + 1 if token.map else line
        for inner in (token, *(token.children or ())):
            yield line, inner
