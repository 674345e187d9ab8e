"""A bank of any size, made by the database itself: the words make no sense."""

from __future__ import annotations

from django.db import connection

from questions.models import Question
from questions.services import documents

WORDS = [
    "latency",
    "pipeline",
    "feature",
    "training",
    "serving",
    "endpoint",
    "gradient",
    "quantile",
    "batch",
    "stream",
    "cluster",
    "schema",
    "drift",
    "label",
    "embedding",
    "tokens",
    "cache",
    "replica",
    "shard",
    "quota",
    "region",
    "bucket",
    "table",
    "window",
    "partition",
    "checkpoint",
    "kernel",
    "tensor",
    "vector",
    "threshold",
    "recall",
    "precision",
    "calibration",
    "sampling",
    "imbalance",
    "lineage",
    "artifact",
    "registry",
    "notebook",
    "tuning",
]

_GROW = """
CREATE TEMP TABLE model AS
  SELECT q.*, r.kind, r.choose, r.difficulty, r.lead_in, r.trap, r.explanation,
         r.published_at, d.open, d.keyed, d.served, d.renderer_version, d.rendered_at
    FROM questions_question q
    JOIN questions_revision r ON r.id = q.published_revision_id
    JOIN questions_publisheddocument d ON d.revision_id = r.id
   WHERE q.exposure = 'public' AND q.retired_at IS NULL AND q.slug NOT LIKE 'grown-%%';
CREATE TEMP TABLE numbered AS
  SELECT m.*, row_number() OVER (ORDER BY id) AS place FROM model m;
CREATE TEMP TABLE grown AS
  SELECT nextval(pg_get_serial_sequence('questions_question', 'id')) AS qid,
         nextval(pg_get_serial_sequence('questions_revision', 'id')) AS rid,
         n AS number, m.*,
         'Title ' || n || ' ' || (%(words)s::text[])[1 + n %% %(many)s] || ' '
           || (%(words)s::text[])[1 + (n / %(many)s) %% %(many)s] AS new_title,
         (SELECT string_agg(
                   CASE WHEN s %% 5 = 0
                        THEN (%(words)s::text[])[1 + ((n * 31 + s * s * 17) %% %(many)s)]
                        ELSE 'term' || (n * 7919 + s * 104729) %% 4001 END, ' ')
            FROM generate_series(1, 60) s) AS new_stem
    FROM generate_series(%(first)s, %(first)s + %(count)s - 1) n
    JOIN numbered m ON m.place = 1 + n %% (SELECT count(*) FROM numbered);
INSERT INTO questions_question
  (id, public_id, slug, certification_id, author_id, provenance, sources, exposure,
   status, created_at, changed_at, search_vector, bands)
  SELECT qid, lpad(to_hex(qid), 12, 'x'), 'grown-' || number, certification_id, author_id,
         provenance, '', 'public', 'draft', created_at, changed_at,
         setweight(to_tsvector('english', new_title), 'A')
           || setweight(to_tsvector('english', new_stem), 'B'),
         ARRAY[number * 7, number * 11 + 1, number * 13 + 2]::bigint[]
    FROM grown;
INSERT INTO questions_revision
  (id, question_id, number, kind, choose, title, stem, lead_in, difficulty, trap,
   explanation, note, written_at)
  SELECT rid, qid, 1, kind, choose, new_title, new_stem, lead_in, difficulty, trap,
         explanation, '', published_at FROM grown;
INSERT INTO questions_option
  (revision_id, position, key, text, is_key, is_pinned, rationale)
  SELECT g.rid, o.position, o.key, o.text, o.is_key, o.is_pinned, o.rationale
    FROM grown g JOIN questions_option o ON o.revision_id = g.published_revision_id;
INSERT INTO questions_publisheddocument
  (revision_id, open, keyed, served, renderer_version, checksum, rendered_at)
  SELECT rid, jsonb_set(open, '{title}', to_jsonb(new_title)), keyed,
         '{"title":' || to_json(new_title)
           || substr(served, length('{"title":' || to_json(open->>'title')) + 1),
         renderer_version, encode(sha256(rid::text::bytea), 'hex'), rendered_at FROM grown;
INSERT INTO questions_alignment (question_id, blueprint_id, domain_id, objective_id)
  SELECT g.qid, a.blueprint_id, a.domain_id, a.objective_id
    FROM grown g JOIN questions_alignment a ON a.question_id = g.id;
UPDATE questions_revision r SET published_at = g.published_at FROM grown g WHERE r.id = g.rid;
UPDATE questions_question q SET published_revision_id = g.rid, latest_revision_id = g.rid,
       status = 'published' FROM grown g WHERE q.id = g.qid;
DROP TABLE model, numbered, grown;
"""


def grow(size: int) -> None:
    """Add questions until the bank has ``size`` of them."""
    there = Question.objects.count()
    missing = size - there
    if missing <= 0:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            _GROW,
            {"words": WORDS, "many": len(WORDS), "first": there + 1, "count": missing},
        )
    documents.learn_words(" ".join(WORDS))
    with connection.cursor() as cursor:
        for table in (
            "question",
            "revision",
            "publisheddocument",
            "alignment",
            "option",
        ):
            cursor.execute(f"VACUUM ANALYZE questions_{table}")
        cursor.execute("VACUUM ANALYZE questions_searchword")
