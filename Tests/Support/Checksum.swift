/// Checksums in the forms of headers and options.
package enum Checksum {}
