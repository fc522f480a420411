// Runs queries, one a line of standard input, and prints the rows of each as a line of JSON.
import { createInterface } from 'node:readline'
import { DuckDBInstance } from '@duckdb/node-api'

const connection = await (await DuckDBInstance.create(':memory:')).connect()
for await (const query of createInterface({ input: process.stdin })) {
  const result = await connection.runAndReadAll(query)
  console.log(JSON.stringify(result.getRowObjectsJson()))
}
