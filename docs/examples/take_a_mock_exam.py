"""Take a mock exam over the API, guessing, and print what it came to.

    python take_a_mock_exam.py https://courseiva.example.org pmle 20

Set COURSEIVA_TOKEN to sit as yourself; without it the sitting is nobody's, and its secret
is kept for this run only. Needs httpx.
"""

from __future__ import annotations

import os
import random
import sys
import uuid
from typing import Any

import httpx

_ARGUMENTS = 3


def take(client: httpx.Client, certification: str, length: int) -> dict[str, Any]:
    """Begin, answer every question at random, submit; return the report."""
    begun = client.post(
        "sittings",
        json={"certification": certification, "mode": "mock", "length": length},
        headers={"Idempotency-Key": str(uuid.uuid4())},
    ).raise_for_status()
    sitting = begun.json()
    client.headers["Sitting-Token"] = sitting.get("token", "")
    here = f"sittings/{sitting['id']}"
    for item in client.get(f"{here}/items").raise_for_status().json():
        keys = [option["key"] for option in item["options"]]
        client.put(
            f"{here}/items/{item['position']}/response",
            json={
                "save_id": str(uuid.uuid4()),
                "base_version": item["version"],
                "chosen": random.sample(keys, item["choose"]),
            },
        ).raise_for_status()
    client.post(f"{here}/submit", json={}).raise_for_status()
    report: dict[str, Any] = client.get(f"{here}/report").raise_for_status().json()
    return report


def main() -> None:
    """Read the arguments, take the exam, print the report."""
    if len(sys.argv) != 1 + _ARGUMENTS:
        sys.exit("Usage: python take_a_mock_exam.py SITE CERTIFICATION LENGTH")
    site, certification, length = sys.argv[1], sys.argv[2], int(sys.argv[3])
    token = os.environ.get("COURSEIVA_TOKEN")
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with httpx.Client(base_url=f"{site}/api/v1/", headers=headers) as client:
        report = take(client, certification, length)
    print(f"{report['right']} of {report['questions']} right", end="")
    print(f", {report['mark']['needed']} needed" if report["mark"] else "")
    for domain in report["domains"]:
        print(f"  {domain['right']:>2} of {domain['questions']:>2}  {domain['name']}")


if __name__ == "__main__":
    main()
