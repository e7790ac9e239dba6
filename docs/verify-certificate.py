#!/usr/bin/env python3
"""Checks a certificate without any of our code: python3 verify-certificate.py certificate.pdf --seal threshold-seal.pem
   [--log-key KEY --proof FILE] [--log-key KEY --log URL [--kept FILE]]   (needs the package `cryptography`)"""
import argparse, base64, hashlib, json, re, sys, urllib.request, zlib
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

def check(holds, problem):
    if not holds:
        sys.exit(problem)

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()

def digest(value):  # of RFC 8785 JSON: all numbers are integers, all keys ASCII
    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()).hex()

def der(data):  # the elements of a DER sequence: (tag, content, all of it)
    at = 0
    while at < len(data):
        length, start = data[at + 1], at + 2
        if length > 127:
            start, length = start + length - 128, int.from_bytes(data[start:start + length - 128], "big")
        yield data[at], data[start:start + length], data[at:start + length]
        at = start + length

def seal(pdf, trusted):
    """The seal covers every byte but itself, and one of the trusted certificates made it."""
    ranges = re.findall(rb"/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]", pdf)
    check(len(ranges) == 1, "there is not one seal")
    zero, end, start, rest = map(int, ranges[0])
    check(zero == 0 and start + rest == len(pdf), "the seal does not cover the whole file")
    gap = re.fullmatch(rb"<((?:[0-9a-f]{2})+)>", pdf[end:start])
    check(gap, "the seal is not where it belongs")
    padded = bytes.fromhex(gap[1].decode())
    content_info = next(der(padded))
    check(not any(padded[len(content_info[2]):]), "there is something behind the seal")
    signed_data = list(der(next(der(list(der(content_info[1]))[1][1]))[1]))
    signer = list(der(next(der(signed_data[-1][1]))[1]))
    attributes = next(each for each in signer if each[0] == 0xA0)
    signature = next(content for tag, content, _ in signer[4:] if tag == 4)
    values = {oid[1]: next(der(found[1]))[1] for oid, found in (list(der(each[1])) for each in der(attributes[1]))}
    message_digest = values[bytes.fromhex("2a864886f70d010904")]
    check(message_digest == sha256(pdf[:end], pdf[start:]), "the file is not what was sealed")
    for certificate in trusted:
        try:
            certificate.public_key().verify(signature, b"\x31" + attributes[2][1:], PKCS1v15(), hashes.SHA256())
            return certificate
        except Exception:
            pass
    sys.exit("none of the trusted certificates made the seal")

def evidence(pdf):
    """What is attached: the snapshot, its hash, the trail."""
    found = []
    for match in re.finditer(rb"stream\r?\n", pdf):
        try:
            text = zlib.decompressobj().decompress(pdf[match.end():]).decode()
            found += [json.loads(text)] if text.startswith("{") else []
        except (zlib.error, ValueError):
            pass
    audits = [each for each in found if each.get("object") == "certificate_audit_trail"]
    check(len(audits) == 1, "the file holds no evidence")
    audit, previous = audits[0], None
    check(digest(audit["snapshot"]) == audit["content_hash"], "the snapshot was changed")
    for seq, entry in enumerate(audit["entries"], 1):
        entry = dict(entry)
        own = entry.pop("hash")
        check(entry["seq"] == seq and entry["prev_hash"] == previous, f"entry {seq} is missing")
        check(digest(entry) == own, f"entry {seq} was changed")
        previous = own
    signed = [each for each in audit["entries"] if each["type"] == "reservation.signed"]
    check(len(signed) == 1 and signed[0]["data"]["content_hash"] == audit["content_hash"], "another snapshot was signed")
    return audit

def checkpoint(note, log_key):
    """Size and root of a checkpoint (c2sp.org/tlog-checkpoint) that the log's key signed, whatever name it had then."""
    text, signatures = note.rsplit("\n\n", 1)
    signature = base64.b64decode(signatures.split()[2])[4:]
    Ed25519PublicKey.from_public_bytes(log_key).verify(signature, (text + "\n").encode())
    _, size, root = text.split("\n")[:3]
    return int(size), base64.b64decode(root)

def root_of(leaves):  # RFC 9162, 2.1.1
    if len(leaves) < 2:
        return sha256(b"\0", leaves[0]) if leaves else sha256()
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1", root_of(leaves[:half]), root_of(leaves[half:]))

def included(leaf, index, size, proof, root):  # RFC 9162, 2.1.3.2
    place, last, node = index, size - 1, sha256(b"\0", leaf)
    for sibling in proof:
        if place % 2 or place == last:
            node = sha256(b"\1", sibling, node)
            while place and not place % 2:
                place, last = place >> 1, last >> 1
        else:
            node = sha256(b"\1", node, sibling)
        place, last = place >> 1, last >> 1
    return index < size and last == 0 and node == root

def get(url):
    with urllib.request.urlopen(url) as answer:
        return answer.read()

def entries(url, size):  # c2sp.org/tlog-tiles
    data = b""
    for first in range(0, size, 256):
        number, width = f"{first // 256:09d}", min(256, size - first)
        parts = ["x" + number[:3], "x" + number[3:6], number[6:]]
        path = "/".join(parts[2 if first < 256_000 else 1 if first < 256_000_000 else 0:])
        data += get(f"{url}/tile/entries/{path}" + ("" if width == 256 else f".p/{width}"))
    return [data[at + 2:at + 34] for at in range(0, len(data), 34)]

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("pdf")
for option, text in {"seal": "the certificates that may seal, PEM", "log-key": "the log's key, a file", "proof": "an inclusion proof, a file",
                     "log": "the log's address: reads all of it", "kept": "a checkpoint you kept, a file"}.items():
    parser.add_argument("--" + option, help=text, required=option == "seal")
options = parser.parse_args()
pdf = open(options.pdf, "rb").read()
leaf = sha256(pdf)
pems = re.findall(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", open(options.seal, "rb").read(), re.S)
sealer = seal(pdf, [x509.load_pem_x509_certificate(pem) for pem in pems])
audit = evidence(pdf)
print("sealed with", sealer.fingerprint(hashes.SHA256()).hex())
print("signed by", audit["signer"]["typed_name"], "at", audit["signer"]["signed_at"], "content", audit["content_hash"])
if options.log_key:
    log_key = base64.b64decode(open(options.log_key).read().strip().split("+", 2)[2])[1:]
if options.proof:
    head, note = open(options.proof, encoding="utf-8").read().split("\n\n", 1)
    _, index, *proof = head.split("\n")
    index = int(index.removeprefix("index "))
    size, root = checkpoint(note, log_key)
    check(included(leaf, index, size, [base64.b64decode(each) for each in proof], root), "the proof is of another file")
    print(f"entry {index} of a log of {size}")
if options.log:
    size, root = checkpoint(get(options.log + "/checkpoint").decode(), log_key)
    leaves = entries(options.log, size)
    check(root_of(leaves) == root, "the log is not what its checkpoint says")
    check(leaf in leaves, "the file is not in the log")
    print(f"entry {leaves.index(leaf)} of the log of {size} that is published now")
    if options.kept:
        size, root = checkpoint(open(options.kept, encoding="utf-8").read(), log_key)
        check(size <= len(leaves) and root_of(leaves[:size]) == root, "the log was rewritten: it is not the one whose checkpoint you kept")
        print("it was entered", "before" if leaves.index(leaf) < size else "after", "the checkpoint that was kept")
print("ok")
