import Foundation

extension String {
    /// The string percent-encoded as one path segment; all but unreserved characters are encoded (RFC 3986 §2.3).
    package var percentEncodedSegment: String {
        var encoded = ""
        for byte in utf8 {
            if Username.isLetter(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "~")
            {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                encoded += hex.count == 1 ? "%0" + hex : "%" + hex
            }
        }
        return encoded
    }
}

/// The base64url encoding without padding (RFC 4648 §5).
package enum Base64URL {
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
