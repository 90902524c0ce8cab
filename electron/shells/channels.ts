/** The one channel of calls, window to main: a command's name and its input as JSON text. */
export const callChannel = 'parley:call'

/** The one channel of pushes, main to window: a batch of envelopes. */
export const pushChannel = 'parley:push'

/** The window's word that it has taken the batch that was pushed last. */
export const takenChannel = 'parley:taken'

/** The argument by which the preload learns the address of the one page that gets a bridge. */
export const pageSwitch = '--parley-page='
