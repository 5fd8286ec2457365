/// The query of a request as the access log shows it: without the values of parameters that grant access. Pure.
enum LoggedQuery {
    /// What the names of such parameters contain.
    private static let secrets = ["token", "password", "passwd", "secret", "code", "signature"].map { Array($0.utf8) }
    /// Names of which others are a part.
    private static let names = ["auth", "authorization", "pass", "pwd", "sig"].map { Array($0.utf8) }

    /// The query with `***` in place of such values. A value that contains an address with one is hidden, too.
    static func text(_ query: String) -> String {
        let parts = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map(shown)
        return String(decoding: Array(parts.joined(separator: "&".utf8)), as: UTF8.self)
    }

    private static func shown(_ part: Substring.UTF8View) -> [UInt8] {
        guard isSecret(part) else { return Array(part) }
        return part.prefix { $0 != UInt8(ascii: "=") } + Array("=***".utf8)
    }

    private static func isSecret(_ part: Substring.UTF8View) -> Bool {
        plain(part).split { "&;?#".utf8.contains($0) }.contains { assignment in
            guard let end = assignment.firstIndex(of: UInt8(ascii: "=")) else { return false }
            let name = assignment[..<end]
            return names.contains { name.elementsEqual($0) } || secrets.contains { contains(name, $0) }
        }
    }

    /// Not `contains(_:)` of the standard library, which took longer than the rest of a request.
    private static func contains(_ name: ArraySlice<UInt8>, _ word: [UInt8]) -> Bool {
        guard name.count >= word.count else { return false }
        return name.indices.dropLast(word.count - 1).contains { start in
            name[start] == word[0] && name[start..<start + word.count].elementsEqual(word)
        }
    }

    /// The lowercase text without percent-encoding, as far as it is well-formed.
    private static func plain(_ part: Substring.UTF8View) -> [UInt8] {
        var (bytes, rest): ([UInt8], Substring.UTF8View) = ([], part)
        while let byte = rest.popFirst() {
            let digits = Substring(rest.prefix(2))
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(lowercase(value))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(lowercase(byte))
            }
        }
        return bytes
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
}
