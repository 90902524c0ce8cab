import * as z from 'zod'

// zod tries out `new Function` at its first object schema, which the page's policy forbids and reports
z.config({ jitless: true })
