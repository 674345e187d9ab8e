"""Write the text that programs get beside each document that is there already.

Much the same as ``questions.domain.document.served_text`` of today, which may change;
``manage.py rebuild_documents`` writes it anew at any time.
"""

import json

from django.db import migrations

CHUNK = 500
SERVED = (
    "title",
    "kind",
    "choose",
    "difficulty",
    "scenario",
    "stem_html",
    "exhibits_html",
    "lead_in_html",
    "options",
)


def fill(apps, _schema_editor):
    documents = apps.get_model("questions", "PublishedDocument").objects
    empty = documents.filter(served="").only("open")
    while rows := list(empty[:CHUNK]):
        for row in rows:
            row.served = text_of(row.open)
        documents.bulk_update(rows, ["served"])


def text_of(opened):
    served = {name: opened[name] for name in SERVED}
    if (scenario := opened["scenario"]) is not None:
        served["scenario"] = {
            name: scenario[name] for name in ("slug", "title", "html")
        }
    served["options"] = [
        {"key": option["key"], "html": option["html"]} for option in opened["options"]
    ]
    text = json.dumps(served, ensure_ascii=False, separators=(",", ":"))
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


class Migration(migrations.Migration):
    dependencies = [("questions", "0005_served_text")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
