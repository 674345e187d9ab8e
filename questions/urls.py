"""Public pages of the bank."""

from __future__ import annotations

from django.contrib.sitemaps import views as sitemap_views
from django.urls import path

from questions import views
from questions.sitemaps import SITEMAPS

urlpatterns = [
    path("", views.home, name="home"),
    path("vendors/<slug:slug>/", views.vendor, name="vendor"),
    path("certifications/<slug:slug>/", views.certification, name="certification"),
    path(
        "certifications/<slug:slug>/<str:version>/<slug:objective_slug>/",
        views.objective,
        name="objective",
    ),
    path("authors/<slug:slug>/", views.author, name="author"),
    path("search/", views.search, name="search"),
    path("questions/<slug:slug>/report/", views.report_problem, name="report_problem"),
    path(
        "questions/<slug:slug>/report/received/",
        views.report_received,
        name="report_received",
    ),
    path("about/", views.about, name="about"),
    path("privacy/", views.privacy, name="privacy"),
    path("editorial-policy/", views.editorial_policy, name="editorial_policy"),
    path("practice-questions-and-exam-dumps/", views.dumps, name="dumps"),
    path("robots.txt", views.robots, name="robots"),
    path(
        "sitemap.xml",
        sitemap_views.index,
        {"sitemaps": SITEMAPS, "sitemap_url_name": "sitemap"},
        name="sitemap_index",
    ),
    path(
        "sitemap-<section>.xml",
        sitemap_views.sitemap,
        {"sitemaps": SITEMAPS},
        name="sitemap",
    ),
]
