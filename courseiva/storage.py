"""Static files under names that follow from their content, scripts' imports too."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """Rewrites the imports of ES modules as well.

    Otherwise a deployment could mix old and new parts of one script for as long as
    browsers keep the old ones.
    """

    support_js_module_import_aggregation = True
