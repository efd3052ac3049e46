import { Type } from '@agent-service/sdk'
import { defineRoute, type HttpRoute, notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import { createPanelPage, panelFileError } from './panel-page.js'
import { visiblePanels } from './visible-panels.js'

/** `GET /api/console/panels/{panel_id}/frame`: the page of a panel that its plugin draws. */
export function createFrameRoute(dependencies: {
  readonly contributions: Pick<Contributions, 'list'>
  readonly bridgeFiles: readonly string[]
}): HttpRoute {
  const { contributions, bridgeFiles } = dependencies
  return defineRoute({
    method: 'GET',
    path: '/api/console/panels/{panel_id}/frame',
    operationId: 'getConsolePanelFrame',
    summary: 'The page for the frame of a panel',
    description: 'For the console. The page has an opaque origin and no network, wherever it is opened.',
    tags: ['console'],
    auth: 'user',
    params: Type.Object({ panel_id: Type.String({ maxLength: 64 }) }),
    errors: [notFoundError, panelFileError],
    answers: { 200: { description: 'The page.', contentType: 'text/html', example: '<!doctype html>…' } },
    async handle({ params, principal }) {
      const panel = visiblePanels(contributions, principal).find(({ key }) => key === params.panel_id)?.value
      if (panel?.content.kind !== 'component') throw notFoundError.create({ what: 'panel' })
      const { html, headers } = await createPanelPage(panel.content, { title: panel.title.en, bridgeFiles })
      return {
        status: 200,
        kind: 'bytes',
        contentType: 'text/html; charset=utf-8',
        headers: { ...headers, 'cache-control': 'no-store' },
        bytes: new TextEncoder().encode(html),
      }
    },
  })
}
