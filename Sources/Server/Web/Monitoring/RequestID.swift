import Synchronization

/// Names requests, so that log lines and responses can be matched.
enum RequestID {
    private static let maximumLength = 64
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let next = Atomic(UInt64.random(in: .min ... .max))

    /// The id that a trusted proxy has given a request, or a new one if it is missing or malformed.
    static func of(_ proposed: String?) -> String {
        guard let proposed, isValid(proposed) else { return make() }
        return proposed
    }

    /// Whether `text` consists of 1 to 64 letters, digits, dots, underscores and hyphens.
    static func isValid(_ text: String) -> Bool {
        (1...maximumLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// 13 characters that do not repeat. They are mixed (SplitMix64), so that they do not tell how many requests the
    /// server answers.
    private static func make() -> String {
        var bits = next.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for index in buffer.indices.prefix(13) {
                buffer[index] = alphabet[Int(bits & 31)]
                bits >>= 5
            }
            return 13
        }
    }
}
