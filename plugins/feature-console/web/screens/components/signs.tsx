import { Badge, Button, IconButton, StateBadge, StateMark } from '@agent-service/sdk/web'
import { For, type JSX } from 'solid-js'
import { Kit } from './kit.js'
import { t } from './texts.js'

const surfaces = ['bg-sunken', 'bg', 'bg-raised', 'bg-hover', 'bg-select', 'accent-tint', 'accent-fill'] as const

/** Buttons, marks, badges, surfaces. */
export function Signs(): JSX.Element {
  return (
    <>
      <Kit title={t('buttons')}>
        <div class="row">
          <Button kind="main">Save changes</Button>
          <Button>Test again</Button>
          <Button kind="quiet">Discard</Button>
          <Button kind="danger" icon="trash">
            Delete agent
          </Button>
          <Button disabled>Save</Button>
          <Button busy>Testing</Button>
          <IconButton icon="dots" name="More" />
          <Button size="small" icon="plus">
            New schedule
          </Button>
        </div>
      </Kit>
      <Kit title={t('marks')}>
        <div class="row">
          <StateMark mark="done">Done</StateMark>
          <StateMark mark="run">Running</StateMark>
          <StateMark mark="wait">Waits for you</StateMark>
          <StateMark mark="warn">Attention</StateMark>
          <StateMark mark="fail">Failed</StateMark>
          <StateMark mark="pause">Paused</StateMark>
          <StateMark mark="off">Off</StateMark>
          <StateMark mark="think">Thinking</StateMark>
          <StateMark mark="next">Here now</StateMark>
        </div>
      </Kit>
      <Kit title={t('badges')}>
        <div class="row">
          <Badge>Version 7</Badge>
          <StateBadge mark="done">Healthy</StateBadge>
          <StateBadge mark="run">Deploying</StateBadge>
          <StateBadge mark="warn">Retrying in 40 s</StateBadge>
          <StateBadge mark="fail">Failed</StateBadge>
          <Badge tone="line" icon="lock">
            Environment
          </Badge>
        </div>
      </Kit>
      <Kit title={t('surfaces')}>
        <div class="row">
          <For each={surfaces}>
            {(name) => (
              <span class="kit-sample">
                <i ref={(element) => element.style.setProperty('--sample', `var(--${name})`)} />
                {name}
              </span>
            )}
          </For>
        </div>
      </Kit>
    </>
  )
}
