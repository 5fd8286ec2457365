import Crypto
import Foundation

package enum Checksum {
    /// SHA-256 as the download journal writes it: hexadecimal bytes with dots between them.
    package static func dotted(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String($0, radix: 16) }.joined(separator: ".")
    }
}
