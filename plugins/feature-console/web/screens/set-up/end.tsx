import type { JSX } from 'solid-js'
import type { Configuration } from '../../api/configuration.js'
import { ApplyBar } from '../../app/configuration/apply-bar.js'
import { textOf } from '../../i18n/messages.js'
import { ButtonLink } from '../../ui/button.js'
import { EmptyState } from '../../ui/states.js'
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
