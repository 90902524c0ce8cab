/** What the rehearsal agent answers when it is asked for its version. */
export const rehearsalVersion = '1.0.0'

/** A multiplier for every pause of the rehearsal agent: 1 as written, 0 at once. */
export const paceVariable = 'PARLEY_REHEARSAL_PACE'

/** The session modes it offers. */
export const rehearsalModes = { readOnly: 'read-only', write: 'write' } as const
