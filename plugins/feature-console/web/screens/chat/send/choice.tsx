import { type JSX, onMount, Show } from 'solid-js'
import { Button } from '../../../ui/button.js'
import { Icon } from '../../../ui/icon.js'
import { Mark } from '../../../ui/mark.js'
import { MenuButton, type MenuItem } from '../../../ui/menu.js'
import { errorText } from '../../../ui/states.js'
import { t as ui } from '../../../ui/texts.js'
import { agentOf, choicesError, knownAgents, knownModels, readChoices } from './choices.js'
import { t } from './texts.js'

/** Which agent answers, and with which model. `model` null: the agent's own. */
export function Choice(props: {
  readonly agentId: string | undefined
  readonly model: string | null
  readonly onAgent: (agentId: string) => void
  readonly onModel: (model: string | null) => void
}): JSX.Element {
  onMount(() => void readChoices())
  const agent = () => agentOf(props.agentId)
  const ownModel = (): string => agent()?.model_group ?? 'primary'
  const model = (): string => props.model ?? ownModel()
  const items = (): readonly MenuItem[] => [
    ...knownAgents()
      .filter(({ enabled, id }) => enabled || id === props.agentId)
      .map(({ id, name }) => ({ group: t('agent'), label: name, checked: id === props.agentId, run: () => props.onAgent(id) })),
    {
      group: t('model'),
      label: t('agent_model', { model: ownModel() }),
      checked: props.model === null,
      run: () => props.onModel(null),
    },
    ...knownModels().map(({ name }) => ({
      group: t('model'),
      label: name,
      checked: props.model === name,
      run: () => props.onModel(name),
    })),
  ]
  return (
    <>
      <Show when={choicesError()}>
        {(cause) => (
          <span class="pick-failed" role="alert" title={errorText(cause())}>
            <Mark name="fail" />
            <span class="cut">{t('choices_failed')}</span>
            <Button size="small" kind="quiet" onClick={() => void readChoices()}>
              {ui('retry')}
            </Button>
          </span>
        )}
      </Show>
      <Show when={agent()}>
        {(found) => (
          <MenuButton
            name={t('choose', { agent: found().name, model: model() })}
            items={items()}
            button={(open) => (
              <button
                type="button"
                class="pick"
                aria-haspopup="menu"
                title={t('choose', { agent: found().name, model: model() })}
                onClick={(event) => {
                  void readChoices()
                  open(event)
                }}
              >
                <b class="cut">{found().name}</b>
                <span class="pick-model cut">{model()}</span>
                <Icon name="chevron-down" />
              </button>
            )}
          />
        )}
      </Show>
    </>
  )
}
