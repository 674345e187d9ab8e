"""Static files under names that follow from their content, scripts' imports too."""

from __future__ import annotations

from functools import lru_cache

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Rewrites the imports of the exam screen's modules as well.

    Otherwise a deployment could mix old and new parts of one script for as long as
    browsers keep the old ones. Only of ours: packages ship scripts that import names
    which no file has, and Django refuses those.
    """

    support_js_module_import_aggregation = True
    _js_module_import_aggregation_patterns = (
        "exams/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],  # noqa: SLF001
    )

    @lru_cache(maxsize=1024)  # noqa: B019  (there is one storage, and it stays)
    def url(self, name: str | None, force: bool = False) -> str:  # noqa: FBT001, FBT002
        """Return the address of a file: worked out once, as every page names several."""
        return str(super().url(name, force))
