/// Mutates bytes slightly, so that they still get deep into a parser.
package struct Mutator {
    package var random: SplitMix64
    /// Fragments to insert occasionally, besides single bytes.
    let fragments: [[UInt8]]

    package init(seed: UInt64, fragments: [String]) {
        random = SplitMix64(seed: seed)
        self.fragments = fragments.map { Array($0.utf8) }
    }

    package mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&bytes) }
        return bytes
    }

    /// A random element of `values`.
    package mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: flip(&bytes)
        case 1: bytes.removeSubrange(stretch(of: bytes))
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: position(in: bytes))
        case 3: bytes.insert(contentsOf: one(of: fragments), at: position(in: bytes))
        case 4: bytes.insert(contentsOf: Array(bytes[stretch(of: bytes)]), at: position(in: bytes))
        default: bytes.removeSubrange(position(in: bytes)...)
        }
    }

    private mutating func flip(_ bytes: inout [UInt8]) {
        guard let index = bytes.indices.randomElement(using: &random) else { return }
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }

    /// A random position, including the end.
    private mutating func position(in bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &random) }

    private mutating func stretch(of bytes: [UInt8]) -> Range<Int> {
        let start = position(in: bytes)
        let length = Int.random(in: 0...20, using: &random)
        return start..<min(start + length, bytes.count)
    }

    /// Splits bytes into chunks of random sizes, including empty ones.
    package mutating func pieces(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        let largest = one(of: [2, 8, 64])
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 0...largest, using: &random))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
