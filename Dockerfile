# One image for web, worker and beat.

FROM python:3.13-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /venv
COPY requirements.txt .
RUN /venv/bin/pip install --quiet --no-deps --require-hashes -r requirements.txt

FROM python:3.13-slim
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
RUN useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin courseiva
COPY --from=build /venv /venv
WORKDIR /app
COPY CHANGELOG.md manage.py ./
COPY accounts accounts
COPY analytics analytics
COPY courseiva courseiva
COPY questions questions
COPY templates templates
# Static files get hashed names and compressed twins here; the settings that are asked
# for mean nothing to it, and none of them stays in the image.
RUN SECRET_KEY=only-for-collecting-static-files-and-for-nothing-else-at-all \
    SITE_URL=https://static.invalid DATABASE_URL=postgresql://static.invalid/none \
    REDIS_URL=redis://static.invalid EMAIL_URL=console: \
    python manage.py collectstatic --noinput --verbosity 0
USER courseiva
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s CMD \
    ["python", "-c", "import http.client; c = http.client.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/healthz', headers={'Host': __import__('urllib.parse').parse.urlsplit(__import__('os').environ['SITE_URL']).hostname}); raise SystemExit(c.getresponse().status != 200)"]
# Granian counts a kept connection as a request under way, and takes backlog / workers of
# them unless told otherwise: of 1,000 people in an exam some would get no answer.
CMD ["granian", "--interface", "wsgi", "courseiva.wsgi:application", "--host", "0.0.0.0", "--port", "8000", "--workers", "2", "--blocking-threads", "4", "--backlog", "1024", "--backpressure", "4096", "--no-ws"]
