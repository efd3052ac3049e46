/** The name of a folder in a line: “.” alone tells nothing. */
export const folderForPeople = (folder: string): string => (/^\.[/\\]?$/.test(folder) ? 'the working directory' : folder)
