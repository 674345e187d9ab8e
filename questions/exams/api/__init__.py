"""The API's doors to answering: keys, sittings, reports; the services of the pages."""
