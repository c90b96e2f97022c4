/** `articles.json:3:17: expected …`, the form that editors and terminals turn into a link. */
export const faultText = ({ file, line, column, message }) => `${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`;
export const totalRefused = ({ files }) => files.reduce((sum, { refused }) => sum + refused, 0);
/** Whether `check` has more to tell than how many records there are. */
export const hasFindings = ({ files }) => files.some(({ refused, suspicions, fields }) => refused > 0 || suspicions.length > 0 || fields.some(({ repaired, leftNull }) => repaired + leftNull > 0));
