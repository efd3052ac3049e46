import { agentName, ButtonLink, Failure, Mark, type NamedAgent } from '@agent-service/sdk/web'
import { For, type JSX, Show } from 'solid-js'
import { api, createQuery } from '../../api/index.js'
import { t as shared } from '../../credentials/texts.js'
import { t } from './common/texts.js'

/** The tool by which agents ask. */
const requestTool = 'request_credential'

/** Agents that wait for an answer, in their words; the answer is given in the chat. Nothing, if there are none. */
export function WaitingRequests(props: { readonly agents: readonly NamedAgent[] }): JSX.Element {
  const waiting = createQuery({
    key: () => ['requests'],
    async read(signal) {
      const { items } = await api.get('/api/approvals', { query: { status: 'pending', limit: 100 }, signal })
      return items.filter(({ tool }) => tool === requestTool)
    },
  })
  const nameOf = (id: string): string => agentName(props.agents.find((agent) => agent.id === id)?.name ?? shared('agent'))
  const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  return (
    <>
      <Show when={waiting.error()}>{(error) => <Failure error={error()} onRetry={() => void waiting.reload()} />}</Show>
      <Show when={(waiting.value()?.length ?? 0) > 0}>
        <section class="credentials-asks" aria-label={t('asking')}>
          <For each={waiting.value()}>
            {(asked) => (
              <div class="credentials-ask">
                <Mark name="wait" />
                <div class="credentials-words">
                  <b>
                    <bdi>{t('ask_for', { agent: nameOf(asked.agent_id), credential: wordOf(asked.arguments['credential']) })}</bdi>
                  </b>
                  <p class="credentials-said foreign">{wordOf(asked.arguments['purpose'])}</p>
                </div>
                <ButtonLink size="small" href={`/chats/${asked.chat_id}`}>
                  {t('answer_in_chat')}
                </ButtonLink>
              </div>
            )}
          </For>
        </section>
      </Show>
    </>
  )
}
