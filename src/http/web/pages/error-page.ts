import type { ServiceError } from '../../../contract/errors.js'
import { html } from '../../html.js'
import type { PageContext } from './page-context.js'
import type { PageContent } from './page-layout.js'

export function errorPage(context: PageContext, { status }: ServiceError, requestId: string): PageContent {
  const { texts } = context
  const [title, explanation] = errorTexts(context, status)
  return {
    title,
    description: explanation,
    unlisted: true,
    main: html`<section class="error">
<p class="error-status" aria-hidden="true">${status}</p>
<h1>${title}</h1>
<p class="lede">${explanation}</p>
<p><a class="button" href="${context.href('/')}">${texts.errors.home}</a></p>
${status >= 500 && html`<p class="quiet">${texts.errors.requestId} ${requestId}</p>`}
</section>`,
  }
}

function errorTexts({ texts: { errors } }: PageContext, status: number): [title: string, explanation: string] {
  if (status === 404) return [errors.notFoundTitle, errors.notFound]
  if (status === 503) return [errors.startingTitle, errors.starting]
  return status < 500 ? [errors.invalidTitle, errors.invalid] : [errors.brokenTitle, errors.broken]
}
