import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'

/** What people read of the calls of each tool. */
export const toolWords = {
  browser_navigate: {
    icon: 'browser',
    words: {
      en: {
        title: 'Open a page in the browser',
        ask: 'Open {url}',
        running: 'Opening {url}',
        done: 'Opened {url}',
        failed: 'Could not open {url}',
      },
      de: {
        title: 'Seite im Browser öffnen',
        ask: '{url} öffnen',
        running: 'Öffnet {url}',
        done: '{url} geöffnet',
        failed: 'Konnte {url} nicht öffnen',
      },
    },
  },
  browser_back: {
    icon: 'browser',
    words: {
      en: {
        title: 'Go back in the browser',
        ask: 'Go back in the browser',
        running: 'Going back in the browser',
        done: 'Went back in the browser',
        failed: 'Could not go back',
      },
      de: {
        title: 'Im Browser zurückgehen',
        ask: 'Im Browser zurückgehen',
        running: 'Geht im Browser zurück',
        done: 'Im Browser zurückgegangen',
        failed: 'Konnte nicht zurückgehen',
      },
    },
  },
  browser_tabs: {
    icon: 'browser',
    words: {
      en: {
        title: 'Look at the tabs of the browser',
        ask: 'Look at the tabs of the browser',
        running: 'Looking at the tabs of the browser',
        done: 'Looked at the tabs of the browser',
        failed: 'Could not look at the tabs',
      },
      de: {
        title: 'Tabs des Browsers ansehen',
        ask: 'Tabs des Browsers ansehen',
        running: 'Sieht die Tabs des Browsers an',
        done: 'Tabs des Browsers angesehen',
        failed: 'Konnte die Tabs nicht ansehen',
      },
    },
  },
  browser_wait_for: {
    icon: 'browser',
    words: {
      en: {
        title: 'Wait for the page',
        ask: ['Wait for “{text}”', 'Wait until “{gone}” is gone', 'Wait for the page'],
        running: ['Waiting for “{text}”', 'Waiting until “{gone}” is gone', 'Waiting for the page'],
        done: ['Waited for “{text}”', 'Waited until “{gone}” was gone', 'Waited for the page'],
        failed: ['“{text}” did not come', '“{gone}” stayed', 'The page did not come'],
      },
      de: {
        title: 'Auf die Seite warten',
        ask: ['Auf „{text}“ warten', 'Warten, bis „{gone}“ weg ist', 'Auf die Seite warten'],
        running: ['Wartet auf „{text}“', 'Wartet, bis „{gone}“ weg ist', 'Wartet auf die Seite'],
        done: ['Auf „{text}“ gewartet', 'Gewartet, bis „{gone}“ weg war', 'Auf die Seite gewartet'],
        failed: ['„{text}“ kam nicht', '„{gone}“ blieb', 'Die Seite kam nicht'],
      },
    },
  },
  browser_close: {
    icon: 'browser',
    words: {
      en: {
        title: 'Close the browser',
        ask: 'Close the browser',
        running: 'Closing the browser',
        done: 'Closed the browser',
        failed: 'Could not close the browser',
      },
      de: {
        title: 'Browser schließen',
        ask: 'Browser schließen',
        running: 'Schließt den Browser',
        done: 'Browser geschlossen',
        failed: 'Konnte den Browser nicht schließen',
      },
    },
  },
  browser_click: {
    icon: 'browser',
    words: {
      en: {
        title: 'Click in the browser',
        ask: 'Click {element}',
        running: 'Clicking {element}',
        done: 'Clicked {element}',
        failed: 'Could not click {element}',
      },
      de: {
        title: 'Im Browser klicken',
        ask: 'Auf {element} klicken',
        running: 'Klickt auf {element}',
        done: 'Auf {element} geklickt',
        failed: 'Konnte nicht auf {element} klicken',
      },
    },
  },
  browser_select: {
    icon: 'browser',
    words: {
      en: {
        title: 'Choose from a list in the browser',
        ask: 'Choose {values} from a list',
        running: 'Choosing {values} from a list',
        done: 'Chose {values} from a list',
        failed: 'Could not choose {values}',
      },
      de: {
        title: 'Aus einer Liste im Browser wählen',
        ask: '{values} aus einer Liste wählen',
        running: 'Wählt {values} aus einer Liste',
        done: '{values} aus einer Liste gewählt',
        failed: 'Konnte {values} nicht wählen',
      },
    },
  },
  browser_press: {
    icon: 'browser',
    words: {
      en: {
        title: 'Press a key in the browser',
        ask: 'Press {key}',
        running: 'Pressing {key}',
        done: 'Pressed {key}',
        failed: 'Could not press {key}',
      },
      de: {
        title: 'Taste im Browser drücken',
        ask: '{key} drücken',
        running: 'Drückt {key}',
        done: '{key} gedrückt',
        failed: 'Konnte {key} nicht drücken',
      },
    },
  },
  browser_hover: {
    icon: 'browser',
    words: {
      en: {
        title: 'Move the mouse in the browser',
        ask: 'Move the mouse in the browser',
        running: 'Moving the mouse in the browser',
        done: 'Moved the mouse in the browser',
        failed: 'Could not move the mouse',
      },
      de: {
        title: 'Maus im Browser bewegen',
        ask: 'Maus im Browser bewegen',
        running: 'Bewegt die Maus im Browser',
        done: 'Maus im Browser bewegt',
        failed: 'Konnte die Maus nicht bewegen',
      },
    },
  },
  browser_dialog: {
    icon: 'browser',
    words: {
      en: {
        title: 'Answer the next dialog of the page',
        ask: 'Answer the next dialog of the page',
        running: 'Answering the next dialog of the page',
        done: 'Answers the next dialog of the page',
        failed: 'Could not answer the dialog',
      },
      de: {
        title: 'Nächsten Dialog der Seite beantworten',
        ask: 'Nächsten Dialog der Seite beantworten',
        running: 'Beantwortet den nächsten Dialog der Seite',
        done: 'Beantwortet den nächsten Dialog der Seite',
        failed: 'Konnte den Dialog nicht beantworten',
      },
    },
  },
  browser_fill: {
    icon: 'browser',
    words: {
      en: {
        title: 'Fill in a field in the browser',
        ask: ['Fill in the credential “{credential}”', 'Fill in “{text}”', 'Fill in a field in the browser'],
        running: ['Filling in the credential “{credential}”', 'Filling in “{text}”', 'Filling in a field'],
        done: ['Filled in the credential “{credential}”', 'Filled in “{text}”', 'Filled in a field'],
        failed: 'Could not fill in the field',
      },
      de: {
        title: 'Feld im Browser ausfüllen',
        ask: ['Zugangsdaten „{credential}“ eintragen', '„{text}“ eintragen', 'Feld im Browser ausfüllen'],
        running: ['Trägt die Zugangsdaten „{credential}“ ein', 'Trägt „{text}“ ein', 'Füllt ein Feld aus'],
        done: ['Zugangsdaten „{credential}“ eingetragen', '„{text}“ eingetragen', 'Feld ausgefüllt'],
        failed: 'Konnte das Feld nicht ausfüllen',
      },
    },
  },
  browser_snapshot: {
    icon: 'browser',
    words: {
      en: {
        title: 'Read the page',
        ask: 'Read the page',
        running: 'Reading the page',
        done: 'Read the page',
        failed: 'Could not read the page',
      },
      de: {
        title: 'Seite lesen',
        ask: 'Seite lesen',
        running: 'Liest die Seite',
        done: 'Seite gelesen',
        failed: 'Konnte die Seite nicht lesen',
      },
    },
  },
  browser_screenshot: {
    icon: 'browser',
    words: {
      en: {
        title: 'Take a picture of the page',
        ask: 'Take a picture of the page',
        running: 'Taking a picture of the page',
        done: 'Took a picture of the page',
        failed: 'Could not take a picture of the page',
      },
      de: {
        title: 'Bild der Seite machen',
        ask: 'Bild der Seite machen',
        running: 'Macht ein Bild der Seite',
        done: 'Bild der Seite gemacht',
        failed: 'Konnte kein Bild der Seite machen',
      },
    },
  },
  browser_scroll: {
    icon: 'browser',
    words: {
      en: {
        title: 'Scroll the page',
        ask: 'Scroll the page',
        running: 'Scrolling the page',
        done: 'Scrolled the page',
        failed: 'Could not scroll the page',
      },
      de: {
        title: 'Seite scrollen',
        ask: 'Seite scrollen',
        running: 'Scrollt die Seite',
        done: 'Seite gescrollt',
        failed: 'Konnte die Seite nicht scrollen',
      },
    },
  },
  browser_upload: {
    icon: 'browser',
    words: {
      en: {
        title: 'Give the page a file',
        ask: 'Give the page {path}',
        running: 'Giving the page {path}',
        done: 'Gave the page {path}',
        failed: 'Could not give the page {path}',
      },
      de: {
        title: 'Der Seite eine Datei geben',
        ask: 'Der Seite {path} geben',
        running: 'Gibt der Seite {path}',
        done: 'Der Seite {path} gegeben',
        failed: 'Konnte der Seite {path} nicht geben',
      },
    },
  },
  browser_download: {
    icon: 'browser',
    words: {
      en: {
        title: 'Download a file with the browser',
        ask: ['Download {url}', 'Download a file from the page'],
        running: ['Downloading {url}', 'Downloading a file'],
        done: ['Downloaded {url}', 'Downloaded a file'],
        failed: ['Could not download {url}', 'Could not download the file'],
      },
      de: {
        title: 'Datei mit dem Browser herunterladen',
        ask: ['{url} herunterladen', 'Datei von der Seite herunterladen'],
        running: ['Lädt {url} herunter', 'Lädt eine Datei herunter'],
        done: ['{url} heruntergeladen', 'Datei heruntergeladen'],
        failed: ['Konnte {url} nicht herunterladen', 'Konnte die Datei nicht herunterladen'],
      },
    },
  },
} as const satisfies Readonly<Record<string, ToolDisplay>>
