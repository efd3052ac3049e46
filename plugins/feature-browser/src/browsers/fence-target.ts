import type { Logger } from '@agent-service/sdk'
import { browserLostError } from '../common/errors.js'
import type { PageGuard } from '../network/page-guard.js'
import type { ProfileProxy } from '../network/profile-proxy.js'
import type { PausedRequest, TargetInfo } from '../protocol/messages.js'
import type { ProtocolSession } from '../protocol/protocol-session.js'
import { type AttachedTarget, attachment } from './browser-link.js'
import { pageFenceScript } from './page-fence-script.js'

interface AuthRequired {
  readonly requestId: string
  readonly request: { readonly url: string }
  readonly authChallenge: { readonly source?: string; readonly origin: string }
}

/** What every target of a context is held to. */
export interface FenceRules {
  readonly guard: PageGuard
  readonly proxy: Pick<ProfileProxy, 'server' | 'credentials'>
  readonly log: Logger
  /** A request was refused because of its address: here, or by the proxy, which has noticed it itself. */
  refused(url: string, reason: string, by: 'fence' | 'proxy'): void
  /** The answer to a document has begun. True: it was taken, and the request ended. */
  takeDocument(paused: PausedRequest, session: ProtocolSession): Promise<boolean>
  /** A frame or a worker of the target was attached, and its fence stands. */
  attachedChild?(child: AttachedTarget, parent: ProtocolSession): void
}

const patterns = [
  { urlPattern: '*', requestStage: 'Request' },
  { urlPattern: '*', resourceType: 'Document', requestStage: 'Response' },
] as const

const isDocumentTarget = ({ type }: TargetInfo): boolean => type === 'page' || type === 'iframe'

/**
 * Sets up a target before it runs, and lets it go on: each of its requests is judged, its WebRTC is
 * off, and what it starts is held to the same. A page that cannot be fenced does not go on.
 */
export async function fenceTarget({ session, info }: AttachedTarget, rules: FenceRules): Promise<void> {
  session.on<PausedRequest>('Fetch.requestPaused', (paused) => void answerRequest(session, paused, rules))
  session.on<AuthRequired>('Fetch.authRequired', (asked) => void answerChallenge(session, asked, rules))
  session.on<{ readonly sessionId: string; readonly targetInfo: TargetInfo }>('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
    const child: AttachedTarget = { session: session.child(sessionId), info: targetInfo }
    rules.attachedChild?.(child, session)
    fenceTarget(child, rules).catch((error: unknown) =>
      rules.log.warn('A frame or worker could not be fenced and does not run.', { error }),
    )
  })
  const isDocument = isDocumentTarget(info)
  const unless = (error: unknown): void => {
    // Workers that have no requests of their own; the proxy holds theirs.
    if (isDocument) throw error
  }
  // Carried out in this order: the target goes on only once its fence stands.
  await Promise.all([
    session.send('Fetch.enable', { patterns, handleAuthRequests: true }).catch(unless),
    session.send('Target.setAutoAttach', attachment).catch(unless),
    ...(isDocument
      ? [
          session.send('Page.enable'),
          session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageFenceScript, runImmediately: true }),
          session.send('Inspector.enable'),
        ]
      : []),
    session.send('Runtime.runIfWaitingForDebugger'),
  ])
}

async function answerRequest(session: ProtocolSession, paused: PausedRequest, rules: FenceRules): Promise<void> {
  const { requestId, request } = paused
  try {
    if (paused.responseStatusCode !== undefined || paused.responseErrorReason !== undefined) {
      if (isProxyRefusal(paused)) {
        rules.refused(request.url, 'there is no connection, or its address is not public', 'proxy')
        return void (await session.send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' }))
      }
      if (await rules.takeDocument(paused, session)) return
      return void (await session.send('Fetch.continueRequest', { requestId }))
    }
    const reason = rules.guard.refusalOf(request.url)
    if (reason === undefined) return void (await session.send('Fetch.continueRequest', { requestId }))
    rules.refused(request.url, reason, 'fence')
    await session.send('Fetch.failRequest', { requestId, errorReason: 'AddressUnreachable' })
  } catch (error) {
    // Pages leave requests behind when they go on to another address.
    if (!browserLostError.isInstance(error)) rules.log.debug('A request of a page was gone before it was judged.', { error })
  }
}

/** The proxy marks what it refuses, where it can; servers cannot, since it takes their marks away. */
const isProxyRefusal = ({ request, responseHeaders = [] }: PausedRequest): boolean =>
  request.url.startsWith('http:') && responseHeaders.some(({ name }) => name.toLowerCase() === 'proxy-status')

/** Only the proxy of the profile gets its credentials, never a server. */
async function answerChallenge(session: ProtocolSession, { requestId, authChallenge }: AuthRequired, rules: FenceRules): Promise<void> {
  const isProxy = authChallenge.source === 'Proxy' && sameOrigin(authChallenge.origin, rules.proxy.server)
  const answer = isProxy ? { response: 'ProvideCredentials', ...rules.proxy.credentials } : { response: 'CancelAuth' }
  await session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse: answer }).catch((error: unknown) => {
    rules.log.debug('A challenge of the proxy was gone before it was answered.', { error })
  })
}

const sameOrigin = (one: string, other: string): boolean => URL.canParse(one) && new URL(one).origin === new URL(other).origin
