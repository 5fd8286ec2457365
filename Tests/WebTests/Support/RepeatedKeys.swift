/// Finds repeated keys in objects, which decoders silently ignore.
struct RepeatedKeys {
    private var objects: [Set<[UInt8]>?] = []
    private var text: [UInt8]?
    private var last: [UInt8] = []
    private var isEscaped = false
    private var found: [String] = []

    /// The repeated keys in valid JSON, as spelled there.
    static func find(in bytes: some Sequence<UInt8>) -> [String] {
        var keys = RepeatedKeys()
        for byte in bytes { keys.take(byte) }
        return keys.found
    }

    private mutating func take(_ byte: UInt8) {
        if text != nil { return takeText(byte) }
        switch byte {
        case UInt8(ascii: "\""): text = []
        case UInt8(ascii: "{"): objects.append([])
        case UInt8(ascii: "["): objects.append(nil)
        case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = objects.popLast()
        case UInt8(ascii: ":"): takeKey()
        default: break
        }
    }

    private mutating func takeText(_ byte: UInt8) {
        if byte == UInt8(ascii: "\""), !isEscaped {
            last = text ?? []
            text = nil
            return
        }
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        text?.append(byte)
    }

    /// Outside strings, a colon follows only a key.
    private mutating func takeKey() {
        guard let index = objects.indices.last, objects[index] != nil else { return }
        if objects[index]?.insert(last).inserted == false { found.append(String(decoding: last, as: UTF8.self)) }
    }
}
