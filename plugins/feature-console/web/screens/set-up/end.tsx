import { ButtonLink, EmptyState, textOf } from '@agent-service/sdk/web'
import { ApplyBar, type Configuration } from '@agent-service/sdk/web/configuration'
import type { JSX } from 'solid-js'
import type { FoundStep } from './read-set-up.js'
import { t } from './texts.js'

/** Whether the service can be used now, or what it lacks. */
export function End(props: {
  readonly configuration: Configuration
  readonly steps: readonly FoundStep[]
  readonly onApplied: () => void
}): JSX.Element {
  const lacks = (): string => props.steps.flatMap((step) => (step.lacks ? [textOf(step.lacks)] : [])).join(' ')
  const isUsable = (): boolean => lacks() === ''
  return (
    <>
      <ApplyBar configuration={props.configuration} onApplied={props.onApplied} />
      <EmptyState title={t(isUsable() ? 'end_title' : 'end_open')} text={isUsable() ? t('end_text') : `${lacks()} ${t('end_open_text')}`}>
        <ButtonLink href="/" kind="main">
          {t('to_home')}
        </ButtonLink>
      </EmptyState>
    </>
  )
}
