import Foundation
import Synchronization

/// Names requests, so that log lines and responses can be matched.
enum RequestID {
    private static let maximumLength = 64
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let random = Mutex(RandomNumbers())

    /// The id that a trusted proxy has given a request, or a new one if it is missing or malformed.
    static func make(proposed: String?) -> String {
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

    /// 13 random characters, so that an id tells nothing about others.
    private static func make() -> String {
        var bits = random.withLock { $0.next() }
        return String(unsafeUninitializedCapacity: 13) { buffer in
            for index in buffer.indices.prefix(13) {
                buffer[index] = alphabet[Int(bits & 31)]
                bits >>= 5
            }
            return 13
        }
    }
}

/// Random numbers of the system, of which one call returns many.
private struct RandomNumbers {
    private var numbers: [UInt64] = []

    mutating func next() -> UInt64 {
        if numbers.isEmpty {
            var bytes = [UInt64](repeating: 0, count: 32)
            // Fails for more than 256 bytes only.
            _ = bytes.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
            numbers = bytes
        }
        return numbers.removeLast()
    }
}
