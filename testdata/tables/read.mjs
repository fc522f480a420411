// Prints the rows of Parquet files, each file as a line of JSON, and bytes as hexadecimal.
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

const plain = (_, value) => {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex')
  return typeof value === 'bigint' ? Number(value) : value
}
for (const path of process.argv.slice(2)) {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors, utf8: false })
  console.log(JSON.stringify(rows, plain))
}
