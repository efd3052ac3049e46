import { agentName, Button, errorText, Icon, Mark, MenuButton, type MenuItem, commonText as ui } from '@agent-service/sdk/web'
import { type JSX, onMount, Show } from 'solid-js'
import { agentOf, choicesError, knownAgents, knownModels, readChoices } from './choices.js'
import { ModelPicker } from './model-picker.js'
import { SecondModel, setSecondModel } from './second-model.js'
import { t } from './texts.js'

/** Which agent answers, and with which model. `model` null: the agent's own. */
export function Choice(props: {
  readonly agentId: string | undefined
  readonly model: string | null
  readonly onAgent: (agentId: string) => void
  readonly onModel: (model: string | null) => void
  /** Where it is chosen: with which other model the next message there is compared. */
  readonly place: string
}): JSX.Element {
  onMount(() => void readChoices())
  const agent = () => agentOf(props.agentId)
  const chooseLabel = (): string => t('choose', { agent: agentName(agent()?.name ?? '') })
  const items = (): readonly MenuItem[] =>
    knownAgents()
      .filter(({ enabled, id }) => enabled || id === props.agentId)
      .map(({ id, name }) => ({ label: agentName(name), checked: id === props.agentId, run: () => props.onAgent(id) }))
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
            name={chooseLabel()}
            items={items()}
            button={(open) => (
              <button
                type="button"
                class="pick"
                aria-haspopup="menu"
                aria-label={chooseLabel()}
                title={chooseLabel()}
                onClick={(event) => {
                  void readChoices()
                  open(event)
                }}
              >
                <b class="cut">{agentName(found().name)}</b>
                <Icon name="chevron-down" />
              </button>
            )}
          />
        )}
      </Show>
      <Show when={knownModels().length > 0 || props.model !== null}>
        <ModelPicker
          ownModel={agent()?.model_group ?? 'primary'}
          model={props.model}
          onModel={props.onModel}
          onSecond={(name) => setSecondModel(props.place, name)}
        />
        <SecondModel place={props.place} />
      </Show>
    </>
  )
}
