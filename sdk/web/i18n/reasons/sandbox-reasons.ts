import { createReasonText, type GermanReasons, type ReasonText } from '../reason-text.js'

/**
 * What the drivers of the product report in English, in German. `{}` stands for a part that stays as
 * it is. A test compares the English side with the drivers.
 */
export const germanSandboxReasons: GermanReasons = [
  [
    'The service may not make network namespaces here, so the network can only be off. Allow it user namespaces (kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns).',
    'Der Dienst darf hier keine Netz-Namensräume anlegen, deshalb bleibt das Netz immer aus. Erlaube ihm Benutzer-Namensräume (kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns).',
  ],
  [
    'Memory and processors are measured and ended beyond their limits; no control group stops them before. Let the service make control groups: with systemd, Delegate=yes.',
    'Speicher und Prozessor werden gemessen, und was zu viel verbraucht, wird beendet; keine Kontrollgruppe hält es vorher auf. Lass den Dienst Kontrollgruppen anlegen: mit systemd durch Delegate=yes.',
  ],
  [
    'Only programs that use the proxy of their environment reach the network: raw connections, UDP and ping do not.',
    'Nur Programme, die den Proxy ihrer Umgebung nutzen, erreichen das Netz: direkte Verbindungen, UDP und Ping nicht.',
  ],
  [
    'Names, sizes and times of files outside can be seen, not their contents, and modes and times of those of the same user changed. Install bubblewrap to close this.',
    'Namen, Größen und Zeiten fremder Dateien sind sichtbar, ihr Inhalt nicht; Rechte und Zeiten von Dateien desselben Benutzers lassen sich ändern. Installiere bubblewrap, um das zu schließen.',
  ],
  [
    'Command lines of processes of the same user can be seen. Install bubblewrap to hide them.',
    'Befehlszeilen von Prozessen desselben Benutzers sind sichtbar. Installiere bubblewrap, um sie zu verbergen.',
  ],
  [
    'Each process has a loopback of its own: those of one principal cannot reach each other, and no port is forwarded.',
    'Jeder Prozess hat ein eigenes Loopback: Die Prozesse eines Agenten erreichen einander nicht, und kein Port wird weitergeleitet.',
  ],
  [
    'A process has no loopback at all, and no port is forwarded, because the service may not make network namespaces here.',
    'Ein Prozess hat gar kein Loopback, und kein Port wird weitergeleitet, weil der Dienst hier keine Netz-Namensräume anlegen darf.',
  ],
  ['The helper that confines does not run: {}.', 'Das Hilfsprogramm, das abschottet, läuft nicht: {}.'],
  [
    'The service is root and may not run processes as other users here. Run it as an ordinary user, or allow it CAP_SETUID and CAP_SETGID.',
    'Der Dienst läuft als root und darf hier keine Prozesse unter anderen Benutzern starten. Starte ihn als gewöhnlicher Benutzer oder erlaube ihm CAP_SETUID und CAP_SETGID.',
  ],
  [
    'There is no filter of system calls for {}, or the kernel has none.',
    'Für {} gibt es keinen Filter für Systemaufrufe, oder der Kernel kann nicht filtern.',
  ],
  [
    '{}, and Landlock of this kernel is of generation {}; {} is needed. Install bubblewrap, and allow user namespaces.',
    '{}, und Landlock dieses Kernels hat Generation {}; nötig ist {}. Installiere bubblewrap und erlaube Benutzer-Namensräume.',
  ],
  [
    'The network can only be off on macOS: this driver has no proxy yet that checks destinations, and the network of the host is never given instead.',
    'Auf macOS bleibt das Netz aus: Dieser Treiber hat noch keinen Proxy, der Ziele prüft, und das Netz des Rechners gibt er nie statt dessen frei.',
  ],
  [
    'Processes run as the user of the service. One that leaves its process group and its parent between two measurements can outlive its tree; it stays confined.',
    'Prozesse laufen unter dem Benutzer des Dienstes. Einer, der zwischen zwei Messungen seine Prozessgruppe und seinen Elternprozess verlässt, kann die anderen überleben; abgeschottet bleibt er.',
  ],
  [
    'There is no loopback of its own: forwarded and exposed ports can be reached by all programs of this Mac, and processes listen on exposed ports alone.',
    'Es gibt kein eigenes Loopback: Weitergeleitete und freigegebene Ports erreichen alle Programme dieses Macs, und Prozesse öffnen nur freigegebene Ports.',
  ],
  [
    'Memory, processors and the number of processes are measured and ended beyond their limits; macOS stops a tree at none of them before. Time of children that end between two measurements is not counted.',
    'Speicher, Prozessor und Zahl der Prozesse werden gemessen, und was zu viel verbraucht, wird beendet; macOS hält es vorher nicht auf. Die Zeit von Kindprozessen, die zwischen zwei Messungen enden, wird nicht gezählt.',
  ],
  ['Nothing confines here: {}.', 'Hier schottet nichts ab: {}.'],
  ['A process opened a file outside its lists when that was tried.', 'Ein Prozess hat im Versuch eine fremde Datei geöffnet.'],
  ['A process signalled the service when that was tried.', 'Ein Prozess hat im Versuch dem Dienst ein Signal gesendet.'],
  ['A process reached a closed port when that was tried.', 'Ein Prozess hat im Versuch einen geschlossenen Port erreicht.'],
]

/** A reason of a driver in the language of the page, if it is known there; else as the driver has it. */
export const sandboxReasonText: (reason: string) => ReasonText = createReasonText(germanSandboxReasons)
