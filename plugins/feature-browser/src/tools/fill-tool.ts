import { Type } from '@agent-service/sdk'
import { defineTool, type Tool } from '@agent-service/sdk/contracts/tool'
import type { AgentCredentials } from '@agent-service/sdk/services/agent-credentials'
import { browserUseError } from '../common/errors.js'
import { fill, press } from '../pages/actions.js'
import { originOf } from '../pages/filled-secrets.js'
import type { BrowserCall, BrowserCalls } from './common/browser-calls.js'
import { onEveryPage, refSchema, shown } from './common/parameters.js'
import { type Target, targetOf } from './input-tools.js'
import { toolWords } from './tool-words.js'

/** What a person says to let a credential be filled in; anything else refuses it. */
export const fillConsent = 'Fill it in'

const credentialSchema = Type.Object({
  name: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', description: 'The name of a credential that was granted to you.' }),
  field: Type.String({ minLength: 1, maxLength: 100, description: 'Its field, such as password.' }),
  origin: Type.String({
    ...{ minLength: 8, maxLength: 300, pattern: '^https?://[^/?#@\\s]+$' },
    description: 'The origin of the page with the form, such as https://example.org. The person confirms it.',
  }),
})

interface CredentialField {
  readonly name: string
  readonly field: string
  readonly origin: string
}

/** `browser_fill`: a text, or the value of a credential, which the model never sees. */
export function createFillTool({
  calls,
  credentials,
}: {
  readonly calls: BrowserCalls
  readonly credentials: AgentCredentials | undefined
}): Tool {
  return defineTool({
    name: 'browser_fill',
    title: 'Fill in a field in the browser',
    display: toolWords.browser_fill,
    description:
      'Gives a field of the page a text, in place of what is in it. For passwords and other secrets name a credential instead of a text: a person confirms it, and its value goes into the page without you seeing it.',
    parameters: Type.Object({
      ref: refSchema('The field: its ref in the latest snapshot.'),
      text: Type.Optional(
        Type.String({ maxLength: 100_000, description: 'The text; empty to clear the field. Either this or credential.' }),
      ),
      credential: Type.Optional(credentialSchema),
      submit: Type.Optional(Type.Boolean({ description: 'Press Enter afterwards. Default false.' })),
    }),
    effect: 'unsafe',
    ...onEveryPage('Enter and submit every text', ({ credential }) => credential === undefined),
    purpose: ({ text, credential }) =>
      credential === undefined
        ? `Fill in “${shown(text)}” in the browser`
        : `Fill in a credential at ${shown(originOf(credential.origin))}`,
    asks: ({ credential }) =>
      credential === undefined ? undefined : { question: questionAbout(credential), options: [fillConsent, 'Refuse'] },
    execute: ({ ref, text, credential, submit = false }, context) =>
      calls.run(context, { open: false, tool: 'fill' }, async (call) => {
        if ((text === undefined) === (credential === undefined))
          throw browserUseError.create({ text: 'Give either a text or a credential.' })
        const target = await targetOf(call, ref)
        if (credential !== undefined) await fillCredential(call, target, credential, credentials)
        else await fill(target.page, target.element, text ?? '', null)
        if (submit) await press(target.page, 'Enter')
        await target.tab.settle(call.signal)
        return {
          said:
            credential === undefined ? 'Filled in.' : `Filled in the field “${credential.field}” of the credential “${credential.name}”.`,
        }
      }),
  })
}

function questionAbout({ name, field, origin }: CredentialField): string {
  const place = originOf(origin)
  const warning = place.startsWith('http://') ? ' This page is NOT encrypted: others on the way can read it.' : ''
  return `May the agent fill in the field “${shown(field)}” of the credential “${name}” at ${place}?${warning}`
}

async function fillCredential(
  { context, session, signal }: BrowserCall,
  { page, tab, element }: Target,
  { name, field: wanted, origin: given }: CredentialField,
  credentials: AgentCredentials | undefined,
): Promise<void> {
  if (context.answer !== fillConsent) throw browserUseError.create({ text: 'The person did not let this credential be filled in.' })
  if (credentials === undefined) throw browserUseError.create({ text: 'This service has no credentials for agents.' })
  const origin = originOf(given)
  // Looked at before anything is opened, since a grant for one use ends with it; the page is asked again as it is filled in.
  const found = originOf(element.frame.url)
  if (found !== origin)
    throw browserUseError.create({
      text: `The field belongs to a page of ${found}, not of ${origin}, for which the person was asked. Nothing was filled in.`,
    })
  const { userId, agentId, chatId, runId, callId } = context
  const use = { userId, agentId, chatId, runId, callId, kind: 'page', target: origin } as const
  const [opened] = await credentials.open([name], use, { signal })
  const field = opened?.fields.find((each) => each.name === wanted)
  if (field === undefined) {
    const fields = (opened?.fields ?? []).map((each) => each.name).join(', ')
    throw browserUseError.create({ text: `The credential “${name}” has no field “${wanted}”. It has: ${fields || 'none'}.` })
  }
  if (field.secret) {
    tab.refs.keepSecret(element)
    session.filled.add(origin, field.value)
  }
  await fill(page, element, field.value, origin)
}
