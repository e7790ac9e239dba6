#!/usr/bin/env python3
"""Watches the public log of certificates: python3 monitor-log.py https://APP/.well-known/threshold-log FOLDER
Keeps each new checkpoint in FOLDER and verifies that the log still begins with the last one. Exits with 1 when the log
was rewritten. Run it from cron. The first run pins the log's key. (needs the package `cryptography`)"""
import base64, hashlib, pathlib, sys, urllib.error, urllib.request
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

base, folder = sys.argv[1].rstrip("/"), pathlib.Path(sys.argv[2])

def get(path):
    with urllib.request.urlopen(f"{base}/{path}") as answer:
        return answer.read()

def opened(note):  # size and root of a checkpoint, once its signature is verified
    text, signature = note.rsplit("\n\n", 1)
    key.verify(base64.b64decode(signature.split()[2])[4:], (text + "\n").encode())
    return int(text.split("\n")[1]), base64.b64decode(text.split("\n")[2])

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def root_of(leaves):  # RFC 9162, 2.1.1
    if len(leaves) < 2:
        return sha256(b"\0", leaves[0]) if leaves else sha256()
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1", root_of(leaves[:half]), root_of(leaves[half:]))

def leaves_of(epoch, size):
    data = b""
    for first in range(0, size, 256):
        number, width = f"{first // 256:09d}", min(256, size - first)
        parts = ["x" + number[:3], "x" + number[3:6], number[6:]][2 if first < 256_000 else 1 if first < 256_000_000 else 0:]
        data += get(f"{epoch}tile/entries/{'/'.join(parts)}" + ("" if width == 256 else f".p/{width}"))
    return [data[at + 2:at + 34] for at in range(0, len(data), 34)]

folder.mkdir(parents=True, exist_ok=True)
pin, state = folder / "key", folder / "epoch"
if not pin.exists():
    pin.write_bytes(get("key"))
key = Ed25519PublicKey.from_public_bytes(base64.b64decode(pin.read_text().strip().split("+", 2)[2])[1:])
number = int(state.read_text()) if state.exists() else 1
while True:
    epoch = "" if number == 1 else f"{number}/"
    note, kept = get(epoch + "checkpoint").decode(), folder / f"checkpoint-{number}"
    size, root = opened(note)
    leaves = leaves_of(epoch, size)
    known, known_root = opened(kept.read_text()) if kept.exists() else (0, sha256())
    whole = root_of(leaves) == root and size >= known and root_of(leaves[:known]) == known_root
    try:
        restore = get(f"{number + 1}/restore").decode()
    except urllib.error.HTTPError:
        restore = ""
    # A restore may lose the end of an epoch, if the next one begins with a statement that accounts for what was known.
    stated = restore.split("\n\n", 1)[1] if restore else ""
    ended = restore.split("\n")[3].split() if restore else []  # "restored", origin, size, root
    if len(ended) == 4 and ended[1] == note.split("\n")[0] and (size, base64.b64encode(root).decode()) != (int(ended[2]), ended[3]):
        sys.exit(f"ALARM: epoch {number} ended with {ended[2]} entries, and has {size}")
    if not whole and not (stated.count("\n") > 2 and opened(stated)[0] >= known and root_of(leaves) == root):
        sys.exit(f"ALARM: the log was rewritten: epoch {number} does not begin with the {known} entries that were kept")
    if whole:
        kept.write_text(note)
    state.write_text(str(number))
    if not restore:
        break
    if leaves_of(f"{number + 1}/", 1)[0] != sha256(restore.encode()):
        sys.exit(f"ALARM: epoch {number + 1} does not begin with its statement")
    print(f"epoch {number} ends at {size} of {max(known, size)} known entries: restored", restore.split("\n")[2][6:])
    number += 1
print(f"ok: epoch {number}, {size} entries")
