/** The first 40 bytes of a TLS record whose header announces a ClientHello of 512 bytes. */
export function halfClientHello(): Uint8Array {
  const record = [0x16, 0x03, 0x01, 0x02, 0x00]
  const handshake = [0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]
  return Uint8Array.from([...record, ...handshake, ...Array<number>(34).fill(0xa5)])
}
