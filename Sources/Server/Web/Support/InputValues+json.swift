import FeedCore
import Foundation

extension InputValues {
    /// Objects inside objects that are looked into.
    private static let maximumDepth = 4
    /// Bytes of the name of what stands in an object.
    private static let maximumName = 200

    /// Reads a JSON object of plain values, and of arrays and objects of them.
    /// - Throws: ``FeedError`` `.malformed`.
    init(json bytes: Data) throws(FeedError) {
        guard !Self.isDeep(bytes), let object = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else {
            throw .malformed("The body is no JSON object")
        }
        self.init()
        for (name, value) in object { try add(value, as: name, depth: 0) }
    }

    private mutating func add(_ value: Any, as name: String, depth: Int) throws(FeedError) {
        guard depth < Self.maximumDepth else { return }
        // Each member has a name of its own, so long names with many members would multiply what was sent.
        guard name.utf8.count <= Self.maximumName else { throw .malformed("The body has a name that is too long") }
        switch value {
        case let object as [String: Any]:
            if object.isEmpty { note(emptyList: name) }
            for (key, value) in object { try add(value, as: "\(name)[\(key)]", depth: depth + 1) }
        case let list as [Any]:
            if list.isEmpty { note(emptyList: name) }
            for (index, element) in list.enumerated() {
                try add(element, as: element is [String: Any] ? "\(name)[\(index)]" : name, depth: depth + 1)
            }
        default: if let text = Self.text(value) { append(name, text) }
        }
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let text as String: text
        case let number as NSNumber:
            "\(number)" == "1" && number.isBoolean ? "true" : number.isBoolean ? "false" : "\(number)"
        default: nil
        }
    }

    /// Whether brackets nest deeper than any input of ours does: a parser that recurses must not see that.
    private static func isDeep(_ bytes: Data) -> Bool {
        var depth = 0
        var isText = false
        var isEscaped = false
        for byte in bytes {
            if isText {
                if byte == 0x22, !isEscaped { isText = false }
                isEscaped = byte == 0x5C && !isEscaped
                continue
            }
            isText = byte == 0x22
            if byte == 0x5B || byte == 0x7B { depth += 1 }
            if byte == 0x5D || byte == 0x7D { depth -= 1 }
            if depth > 32 { return true }
        }
        return false
    }
}

extension NSNumber {
    fileprivate var isBoolean: Bool { String(cString: objCType) == "c" }
}
