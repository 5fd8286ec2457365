package import Foundation

package enum SampleBytes {
    /// Incompressible bytes that do not repeat, the same in every run.
    /// - Parameter seed: Different seeds give different bytes.
    package static func make(_ count: Int, seed: UInt64 = 1) -> Data {
        let words = [UInt64](unsafeUninitializedCapacity: count / 8 + 1) { buffer, filled in
            var random = SplitMix64(seed: seed)
            for index in buffer.indices { buffer.initializeElement(at: index, to: random.next()) }
            filled = buffer.count
        }
        return words.withUnsafeBytes { Data($0.prefix(count)) }
    }
}
