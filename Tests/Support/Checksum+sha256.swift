import Crypto
package import Foundation

extension Checksum {
    /// SHA-256 in lowercase hexadecimal.
    package static func sha256(_ data: Data) -> String {
        SHA256.hash(data: data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// SHA-256 in the form of digest fields (RFC 9530): `sha-256=:BASE64:`.
    package static func digestField(_ data: Data) -> String {
        "sha-256=:" + Data(SHA256.hash(data: data)).base64EncodedString() + ":"
    }
}
