import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { notFound } from '../../contract/errors.js'
import { packageRoot } from '../../lib/package-root.js'
import { dataBlock, type Html, type HtmlValue, html } from '../html.js'
import { sendWithEtag } from '../plugins/etag.js'
import { contentTypeOf } from '../plugins/response-headers.js'

const FILES: Record<string, string> = {
  'admin.css': 'assets/admin/admin.css',
  'admin.js': 'assets/admin/admin.js',
  'draw.js': 'assets/admin/draw.js',
  'sans.woff2': 'public/fonts/instrument-sans-latin-wght-normal.woff2',
  'serif.woff2': 'public/fonts/instrument-serif-latin-400-normal.woff2',
  'icon.svg': 'public/icon.svg',
}

const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Not `no-referrer`: browsers would then leave out the Origin of our own forms, too.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
}

/** Styles, scripts and fonts. They hold nothing private, so they need no token. */
export function serveAdminAssets(app: FastifyInstance): void {
  const files = new Map(Object.entries(FILES).map(([name, path]) => [name, readFileSync(new URL(path, packageRoot))]))
  app.get<{ Params: { file: string } }>('/assets/:file', async (request, reply) => {
    const file = files.get(request.params.file)
    if (file === undefined) throw notFound('There is no such asset.')
    reply.headers({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'same-origin' })
    return sendWithEtag(request, reply, contentTypeOf(request.params.file), file)
  })
}

export const sendPage = (reply: FastifyReply, page: Html): FastifyReply =>
  reply.headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page.text)

/** The page is a frame: the script fills it from the snapshot in the page, then from those of the stream. */
export const dashboardPage = (snapshot: unknown, csrfToken: string | null, canSignOut: boolean): Html =>
  htmlPage(
    'Dashboard',
    html`<header class="top"><h1>Vitrine</h1><p id="standing" class="standing" role="status"></p>
${canSignOut && html`<form method="post" action="/logout"><button class="quiet">Sign out</button></form>`}</header>
<main id="board" data-seal="${csrfToken ?? ''}"><noscript><p>The dashboard needs JavaScript. <code>vitrine status --watch</code> shows the same in a terminal.</p></noscript></main>
<dialog id="ask"><form method="dialog"><h2></h2><p></p><label hidden>Reason <input name="reason" maxlength="500" autocomplete="off"></label>
<div class="choices"><button value="no" class="quiet" formnovalidate>Cancel</button><button value="yes"></button></div></form></dialog>
<p id="notice" role="alert" hidden></p>
${dataBlock('application/json', snapshot)}
<script type="module" src="/assets/admin.js"></script>`,
  )

export const loginPage = (problem: string | null): Html =>
  htmlPage(
    'Sign in',
    html`<main class="login"><form method="post" action="/login"><h1>Vitrine</h1>
<label>Admin token <input type="password" name="token" required autofocus autocomplete="current-password"></label>
${problem !== null && html`<p role="alert">${problem}</p>`}<button>Sign in</button></form></main>`,
  )

const htmlPage = (title: string, body: HtmlValue): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · Vitrine</title>
<link rel="stylesheet" href="/assets/admin.css">
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
<body>
${body}
</body>
</html>
`
