import { defineMessages } from '@agent-service/sdk/web'

export const t = defineMessages({
  en: {
    disabled:
      'The sandbox is switched off (sandbox.disabled): the code of agents reaches every file that the service can reach. Set sandbox.disabled to false to confine it.',
    exit_code: 'Ended with code {code}',
    exit_cpu: 'Took too much processor',
    exit_memory: 'Took too much memory',
    exit_other: 'Ended: {reason}',
    exit_output: 'Wrote too much',
    exit_signal: 'Ended by {signal}',
    exit_stopped: 'Stopped',
    exit_timeout: 'Ran out of time',
    nothing_runs: 'Nothing confines programs on this machine, so agents run none. The page Confinement says why and how to mend it.',
  },
  de: {
    disabled:
      'Die Sandbox ist ausgeschaltet (sandbox.disabled): Der Code der Agenten erreicht jede Datei, die der Dienst erreicht. Mit sandbox.disabled: false ist er abgeschottet.',
    exit_code: 'Beendet mit Code {code}',
    exit_cpu: 'Zu viel Prozessor verbraucht',
    exit_memory: 'Zu viel Speicher verbraucht',
    exit_other: 'Beendet: {reason}',
    exit_output: 'Zu viel ausgegeben',
    exit_signal: 'Beendet durch {signal}',
    exit_stopped: 'Gestoppt',
    exit_timeout: 'Zeit abgelaufen',
    nothing_runs:
      'Auf dieser Maschine schottet nichts Programme ab, also führen Agenten keine aus. Die Seite Abschottung sagt, warum und was hilft.',
  },
})
