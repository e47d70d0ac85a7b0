import { Subscriber } from 'zeromq'

/**
 * `node zeromq-subscriber.ts ADDRESS`: prints each message that is published there, as a line with the JSON list of its
 * frames. It is a process of its own, as the package may end the process of a thread that ends.
 */
const subscriber = new Subscriber()
subscriber.subscribe()
subscriber.connect(process.argv[2] ?? '')
for await (const frames of subscriber) console.log(JSON.stringify(frames.map(String)))
