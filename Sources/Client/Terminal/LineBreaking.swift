/// Where a line of text may be broken: at spaces and next to wide characters, but for the rules of Chinese, Japanese and
/// Korean (JIS X 4051, GB/T 15834): no closing punctuation at the start of a line, no opening punctuation at its end.
public enum LineBreaking {
    /// Closing brackets and quotes, punctuation that follows a word, small kana, and marks of repetition and length.
    private static let forbiddenAtStart = Set<Character>(
        "!%),.:;?]}¢°·’”‰′″℃、。〃々〉》」』】〕〗〙〛〞〟〻ぁぃぅぇぉっゃゅょゎゕゖ゛゜ゝゞ゠ァィゥェォッャュョヮヵヶ・ーヽヾ"
            + "ㇰㇱㇲㇳㇴㇵㇶㇷㇸㇹㇺㇻㇼㇽㇾㇿ︰﹐﹑﹒﹔﹕﹖﹗﹘﹚﹜﹞！％），．／：；？］｜｝～｠｡｣､･ｧｨｩｪｫｬｭｮｯｰ…‥—–»›‼⁇⁈⁉〜〰")

    /// Opening brackets and quotes, and signs that precede a number or a name.
    private static let forbiddenAtEnd = Set<Character>("#$([{@£¥‘“〈《「『【〔〖〘〚〝﹙﹛﹝＃＄（［｛｟｢￠￡￥«‹")

    public static func isForbiddenAtStart(_ character: Character) -> Bool { forbiddenAtStart.contains(character) }

    public static func isForbiddenAtEnd(_ character: Character) -> Bool { forbiddenAtEnd.contains(character) }

    /// Runs of spaces, and pieces between which a line may be broken.
    static func pieces(of line: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var start = line.startIndex
        for index in line.indices.dropFirst() where isBreak(line, before: index) {
            pieces.append(line[start..<index])
            start = index
        }
        if start < line.endIndex { pieces.append(line[start...]) }
        return pieces
    }

    private static func isBreak(_ line: Substring, before index: Substring.Index) -> Bool {
        let (last, next) = (line[line.index(before: index)], line[index])
        if last == " " || next == " " { return last != next }
        guard DisplayWidth.isWide(last) || DisplayWidth.isWide(next) else { return false }
        return !isForbiddenAtStart(next) && !isForbiddenAtEnd(last)
    }
}
