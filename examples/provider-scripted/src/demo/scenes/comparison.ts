import { hasAll, type Scene } from './scene.js'

const answer = {
  en: `Here are three ways that suit most families:

| | Cost | Effort | What can go wrong |
|---|---|---|---|
| **External disk** | about 80 €, once | plug it in every week | it is forgotten, stolen or breaks with the house |
| **Cloud storage** | 3 to 10 € a month | none after the set-up | a lost password, a closed account, rising prices |
| **Disk at relatives** | about 160 € for two disks | swap them at each visit | the copy is as old as the last visit |

**Take the first two together.** A disk alone dies with the house, and a cloud alone depends on one account. In five years that costs about

$$80 + 5 \\cdot 12 \\cdot 5 = 380\\ \\text{€},$$

and no single accident takes all copies. For the disk one command a week is enough:

\`\`\`sh
rsync --archive --verbose ~/Pictures/ /media/backup/photos/
\`\`\`

It copies only what is new, and deletes nothing on the disk.`,
  de: `Drei Wege, die zu den meisten Familien passen:

| | Kosten | Aufwand | Was schiefgehen kann |
|---|---|---|---|
| **Externe Festplatte** | einmalig etwa 80 € | jede Woche anstecken | sie wird vergessen, gestohlen oder geht mit dem Haus unter |
| **Cloud-Speicher** | 3 bis 10 € im Monat | nach der Einrichtung keiner | Passwort weg, Konto gesperrt, Preise steigen |
| **Platte bei Verwandten** | etwa 160 € für zwei Platten | bei jedem Besuch tauschen | die Kopie ist so alt wie der letzte Besuch |

**Nimm die ersten beiden zusammen.** Eine Platte allein geht mit dem Haus unter, und eine Cloud allein hängt an einem Konto. In fünf Jahren kostet das etwa

$$80 + 5 \\cdot 12 \\cdot 5 = 380\\ \\text{€},$$

und kein einzelnes Unglück nimmt alle Kopien mit. Für die Platte genügt ein Befehl in der Woche:

\`\`\`sh
rsync --archive --verbose ~/Bilder/ /media/sicherung/fotos/
\`\`\`

Er kopiert nur, was neu ist, und löscht auf der Platte nichts.`,
}

/** A table, a formula and a command, all in one answer. */
export const comparison: Scene = {
  title: { en: 'Three ways to back up photos', de: 'Drei Wege, Fotos zu sichern' },
  fits: ({ written }) => hasAll(written, /\b(table|tabelle)\b/i, /\b(photos|fotos)\b/i),
  next: ({ language }) => ({ say: answer[language] }),
}
