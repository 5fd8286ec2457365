/// A column of a result, named after the statement that has returned it: the engines report the names only of columns
/// that are not expressions, and not always their tables.
struct ResultColumn: Equatable, CustomStringConvertible {
    /// The table, if the statement tells.
    let table: String?
    /// The name of the column, or the expression.
    let name: String

    var description: String { (table.map { $0 + "." } ?? "") + name }

    /// - Parameter index: The index of the column, from 0.
    init(_ index: Int, of statement: String) {
        let words = Self.words(statement)
        let keyword = words.lastIndex(of: "RETURNING") ?? words.firstIndex(of: "SELECT") ?? words.endIndex
        let columns = words.dropFirst(keyword + 1).prefix { $0 != "FROM" }.split(separator: ",")
        let column = columns.indices.contains(index) ? columns[index].filter { $0 != "DISTINCT" } : []
        let expression = column.prefix { $0 != "AS" }.joined(separator: " ")
        let parts = expression.utf8.split(separator: UInt8(ascii: ".")).map(Substring.init)
        let isQualified = parts.count == 2 && !expression.contains(" ")
        table = Self.table(isQualified ? String(parts[0]) : nil, in: words)
        name = column.isEmpty ? "column \(index)" : isQualified ? String(parts[1]) : expression
    }

    /// The table that a statement calls `alias`, or the first one for `nil`.
    private static func table(_ alias: String?, in words: [String]) -> String? {
        for (index, word) in words.enumerated() where ["FROM", "JOIN", "INTO", "UPDATE"].contains(word) {
            let names = words.dropFirst(index + 1).filter { $0 != "AS" }.prefix(2)
            guard let table = names.first, alias == nil || names.contains(alias ?? "") else { continue }
            return table.hasPrefix("(") ? alias : table
        }
        return alias
    }

    /// The words and commas of a statement. What is in parentheses is part of the word before it.
    private static func words(_ statement: String) -> [String] {
        var (words, word, depth, isQuoted) = ([String](), "", 0, false)
        for scalar in (statement + " ").unicodeScalars {
            if scalar == "'" { isQuoted.toggle() }
            if !isQuoted, scalar == ")" { depth -= 1 }
            if depth == 0, !isQuoted, scalar.properties.isWhitespace || scalar == "," {
                words += (word.isEmpty ? [] : [word]) + (scalar == "," ? [","] : [])
                word = ""
            } else {
                word.unicodeScalars.append(scalar)
            }
            if !isQuoted, scalar == "(" { depth += 1 }
        }
        return words
    }
}
