import FeedCore

/// Parses a JSON body (RFC 8259) into named values in one pass, in linear time and without building a tree.
///
/// A member of an object becomes `outer[inner]`, an object in an array `list[0][inner]`; any other array element
/// becomes a value of the array's name.
struct JSONParser {
    private enum Bound {
        /// The maximum depth of nested brackets, which bounds the recursion.
        static let nesting = 32
        /// The maximum depth of objects whose members are kept.
        static let depth = 4
        /// The maximum length of a name in bytes. The name of each member includes that of its object.
        static let name = 200
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var nesting = 0
    private var values: RequestParameters

    /// - Throws: ``FeedError`` `.malformed` unless `bytes` are one JSON object, `.tooLarge` for too many values.
    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, upTo maximumCount: Int = RequestParameters.maximumCount
    ) throws(FeedError) -> RequestParameters {
        var input = JSONParser(bytes: bytes, values: RequestParameters(upTo: maximumCount))
        input.skipBlanks()
        guard input.next == UInt8(ascii: "{") else { throw malformed }
        try input.object(named: nil, depth: 0)
        input.skipBlanks()
        guard input.index == bytes.count else { throw malformed }
        return input.values
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, values: RequestParameters) {
        self.bytes = bytes
        self.values = values
    }

    private static let malformed = FeedError.malformed("The body is not a JSON object")
    private static let longName = FeedError.malformed("A name in the body is longer than \(Bound.name) bytes")
}

extension JSONParser {
    /// - Parameter name: `nil` to validate the value without keeping it.
    private mutating func value(named name: String?, depth: Int, isElement: Bool = false) throws(FeedError) {
        switch next {
        case UInt8(ascii: "{"): try object(named: name, depth: depth)
        case UInt8(ascii: "["): try array(named: name, depth: depth)
        case UInt8(ascii: "\""): try keep(try string(), as: name)
        case UInt8(ascii: "t"): try word("true", as: name)
        case UInt8(ascii: "f"): try word("false", as: name)
        case UInt8(ascii: "n"):
            try word("null", as: nil)
            if let name { values.note(null: name) }
        default: try keep(try number(), as: name)
        }
    }

    private mutating func object(named outer: String?, depth: Int) throws(FeedError) {
        try enter()
        if skip(UInt8(ascii: "}")) {
            if let outer { values.note(emptyList: outer) }
            return leave()
        }
        repeat {
            skipBlanks()
            guard next == UInt8(ascii: "\"") else { throw Self.malformed }
            let key = try string()
            skipBlanks()
            try require(UInt8(ascii: ":"))
            skipBlanks()
            try value(named: try member(key, of: outer, depth: depth), depth: depth + 1)
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        try require(UInt8(ascii: "}"))
        leave()
    }

    private mutating func array(named name: String?, depth: Int) throws(FeedError) {
        try enter()
        if skip(UInt8(ascii: "]")) {
            if let name { values.note(emptyList: name) }
            return leave()
        }
        var position = 0
        repeat {
            skipBlanks()
            let isObject = next == UInt8(ascii: "{")
            try value(named: isObject ? try member(String(position), of: name, depth: depth) : name, depth: depth + 1)
            position += 1
            skipBlanks()
        } while skip(UInt8(ascii: ","))
        try require(UInt8(ascii: "]"))
        leave()
    }

    /// The full name of a member, or `nil` below the depth whose members are kept.
    private func member(_ key: String, of outer: String?, depth: Int) throws(FeedError) -> String? {
        guard depth > 0 else { return try bounded(key) }
        guard let outer, depth < Bound.depth else { return nil }
        return try bounded("\(outer)[\(key)]")
    }

    private func bounded(_ name: String) throws(FeedError) -> String {
        guard name.utf8.count <= Bound.name else { throw Self.longName }
        return name
    }

    private mutating func keep(_ text: String, as name: String?) throws(FeedError) {
        if let name { try values.append(name, text) }
    }
}

extension JSONParser {
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        index += 1
        return true
    }

    private mutating func require(_ byte: UInt8) throws(FeedError) {
        guard skip(byte) else { throw Self.malformed }
    }

    private mutating func enter() throws(FeedError) {
        nesting += 1
        guard nesting <= Bound.nesting else { throw Self.malformed }
        index += 1
        skipBlanks()
    }

    private mutating func leave() { nesting -= 1 }

    private mutating func word(_ word: StaticString, as name: String?) throws(FeedError) {
        let matches = word.withUTF8Buffer { bytes[index...].starts(with: $0) }
        guard matches else { throw Self.malformed }
        index += word.utf8CodeUnitCount
        try keep("\(word)", as: name)
    }

    /// A number with its original digits, so that a large id keeps its precision.
    private mutating func number() throws(FeedError) -> String {
        let start = index
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            index += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func digits() throws(FeedError) {
        let start = index
        while let byte = next, (0x30...0x39).contains(byte) { index += 1 }
        guard index > start else { throw Self.malformed }
    }
}

extension JSONParser {
    /// Parses a string at its opening quote.
    private mutating func string() throws(FeedError) -> String {
        index += 1
        let start = index
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw Self.malformed }
            index += 1
        }
        guard next == UInt8(ascii: "\\") else { return try text(bytes[start..<index]) }
        return try escapedString(from: start)
    }

    private mutating func escapedString(from start: Int) throws(FeedError) -> String {
        var decoded = Array(bytes[start..<index])
        while let byte = next, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw Self.malformed }
            index += 1
            if byte == UInt8(ascii: "\\") { try escape(into: &decoded) } else { decoded.append(byte) }
        }
        return try text(decoded[...])
    }

    private mutating func text(_ content: some Collection<UInt8>) throws(FeedError) -> String {
        try require(UInt8(ascii: "\""))
        guard let text = String(validating: content, as: UTF8.self) else { throw Self.malformed }
        return text
    }

    private mutating func escape(into decoded: inout [UInt8]) throws(FeedError) {
        guard let byte = next else { throw Self.malformed }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(byte)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"): decoded.append(contentsOf: String(try scalar()).utf8)
        default: throw Self.malformed
        }
    }

    /// Parses the digits after `\u` and rejects an unpaired surrogate.
    private mutating func scalar() throws(FeedError) -> Unicode.Scalar {
        var code = try unit()
        if (0xD800...0xDBFF).contains(code) {
            try require(UInt8(ascii: "\\"))
            try require(UInt8(ascii: "u"))
            let low = try unit()
            guard (0xDC00...0xDFFF).contains(low) else { throw Self.malformed }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(code) else { throw Self.malformed }
        return scalar
    }

    private mutating func unit() throws(FeedError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap(Hex.value) else { throw Self.malformed }
            code = code << 4 | UInt32(digit)
            index += 1
        }
        return code
    }
}
