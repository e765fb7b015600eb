/** The API reference, rendered from the OpenAPI document. */

import { LRUCache } from 'lru-cache'
import type { Operation } from '../../../contract/operation.js'
import type { Site } from '../../../contract/public-urls.js'
import { openApiDocument } from '../../../discovery/openapi/document.js'
import type { Endpoint, JsonSchema, OpenApiDocument, OperationObject, Parameter } from '../../../discovery/openapi/types.js'
import { type Html, type HtmlValue, html } from '../../html.js'
import { referenceMarkdown } from './api-reference-markdown.js'
import { callOf, codeText, curlFor, type Examples, entriesOf, json, resolved, typeParts } from './api-reference-parts.js'
import type { PageContext } from './page-context.js'
import type { PageContent } from './page-layout.js'

/** Languages, and links that keep a locale. */
const MAX_KEPT = 32

/** `examples` are values that exist here, so that commands work as shown. */
export function apiReference(site: Site, reads: readonly Operation[]): (context: PageContext, examples?: Examples) => PageContent {
  const document = openApiDocument(site, reads)
  // Kept, because it is the longest page and depends on little. Examples name creators, so they stay only while they are shown.
  const kept = new LRUCache<string, { examples: string; main: Html }>({ max: MAX_KEPT })
  const referenceFor = (context: PageContext, shown: Examples): Html => {
    const key = `${context.language} ${context.href('/')}`
    const examples = JSON.stringify(shown)
    const found = kept.get(key)
    if (found?.examples === examples) return found.main
    const main = reference(context, document, shown)
    kept.set(key, { examples, main })
    return main
  }
  return (context, examples = {}) => ({
    title: context.texts.docs.title,
    description: context.texts.docs.description,
    current: 'docs',
    canonical: `${site.webUrl}/docs`,
    main: referenceFor(context, examples),
    markdown: { language: 'en', text: () => referenceMarkdown(document, examples, `${site.webUrl}/openapi.json`) },
  })
}

function reference(context: PageContext, document: OpenApiDocument, examples: Examples): Html {
  const { docs } = context.texts
  const entries = entriesOf(document)
  const groups = document.tags.map((tag) => ({ ...tag, entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)) }))
  return html`<div class="reference">
<nav class="reference-nav" aria-label="${docs.contents}">
${groups.map(
  (group) => html`<p class="eyebrow">${group.name}</p>
<ul role="list">
${group.entries.map(({ method, operation }) => html`<li><a href="#${operation.operationId}"><span class="method method-${method}">${method}</span>${operation.summary}</a></li>\n`)}</ul>
`,
)}<p class="eyebrow"><a href="#schemas">${docs.schemas}</a></p>
</nav>
<div class="reference-body" lang="en">
<header class="prose">
<h1 lang="${context.language}">${docs.title}</h1>
${document.info.description.split('\n\n').map((paragraph) => html`<p>${codeText(paragraph)}</p>\n`)}
<p class="quiet">${document.info.title} ${document.info.version} · <a href="${context.href('/openapi.json')}">${docs.download}</a></p>
</header>
${groups.map(
  (group) => html`<section aria-labelledby="tag-${group.name}">
<h2 id="tag-${group.name}" class="section-title">${group.name}</h2>
<p class="quiet">${group.description}</p>
${group.entries.map((entry) => endpoint(context, document, entry, examples))}</section>
`,
)}
${schemas(context, document)}
</div>
</div>`
}

function endpoint(context: PageContext, document: OpenApiDocument, { method, path, operation }: Endpoint, examples: Examples): Html {
  const { docs } = context.texts
  const { operationId, summary, description, deprecated } = operation
  const { parameters, body, server, example } = callOf(document, operation)
  return html`<article class="endpoint" id="${operationId}" aria-labelledby="${operationId}-title">
<h3 id="${operationId}-title">${summary}${deprecated === true && html` <span class="badge">${docs.deprecated}</span>`}</h3>
<p class="endpoint-path"><span class="method method-${method}">${method}</span><code>${path}</code></p>
<p>${codeText(description)}</p>
${parameterTable(context, parameters)}
${body !== null && html`<h4>${docs.body}</h4>${Object.entries(body.content).map(([type, { schema }]) => html`<p><code>${type}</code> ${typeName(schema)}</p>`)}`}
<h4>${docs.tryIt}</h4>
${snippet(context, curlFor({ method, server, path, parameters, body, examples }))}
${example !== null && html`<details><summary>${docs.example}</summary><pre tabindex="0"><code>${json(example)}</code></pre></details>`}
${responseTable(context, document, operation)}
</article>
`
}

function parameterTable({ texts: { docs } }: PageContext, parameters: readonly Parameter[]): HtmlValue {
  if (parameters.length === 0) return null
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      html`<tr><th scope="row"><code>${name}</code>${required === true && html` <span class="badge">${docs.required}</span>`}</th><td>${place}</td><td>${typeName(schema)}</td><td>${codeText(description ?? '')}</td></tr>\n`,
  )
  return html`<h4>${docs.parameters}</h4>\n${table(docs.parameters, [docs.name, docs.place, docs.type, docs.meaning], rows)}`
}

function responseTable({ texts: { docs } }: PageContext, document: OpenApiDocument, { responses }: OperationObject): Html {
  const rows = Object.entries(responses).map(([status, response]) => {
    const found = resolved(response, document.components.responses)
    const [type, media] = Object.entries(found?.content ?? {})[0] ?? []
    const text = response.description ?? found?.description ?? ''
    return html`<tr><th scope="row"><code>${status}</code></th><td>${media !== undefined && html`${typeName(media.schema)}${type !== 'application/json' && html` <code>${type}</code>`}`}</td><td>${codeText(text)}</td></tr>\n`
  })
  return html`<details><summary>${docs.answers}</summary>${table(docs.answers, [docs.status, docs.type, docs.meaning], rows)}</details>`
}

const typeName = (schema: JsonSchema): Html =>
  html`${typeParts(schema).map((part) => {
    if (typeof part === 'string') return part
    return 'code' in part ? html`<code>${part.code}</code>` : html`<a href="#schema-${part.schema}"><code>${part.schema}</code></a>`
  })}`

const table = (label: string, headings: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="table" tabindex="0" role="group" aria-label="${label}"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`

const schemas = ({ texts: { docs } }: PageContext, { components }: OpenApiDocument): Html => html`<section aria-labelledby="schemas">
<h2 id="schemas" class="section-title" tabindex="-1">${docs.schemas}</h2>
${Object.entries(components.schemas).map(
  ([name, schema]) =>
    html`<details class="schema" id="schema-${name}"><summary><code>${name}</code></summary><pre tabindex="0"><code>${json(schema)}</code></pre></details>\n`,
)}</section>`

const snippet = ({ texts: { docs, copied } }: PageContext, command: string): Html =>
  html`<div class="snippet"><pre tabindex="0"><code>${command}</code></pre><button class="chip" type="button" data-copy="${command}" data-copied="${copied}" hidden><span>${docs.copy}</span></button></div>`
