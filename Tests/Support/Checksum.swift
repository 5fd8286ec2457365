/// Checksums as headers and options have them.
package enum Checksum {}
