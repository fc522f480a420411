import java.util.Arrays;
import org.apache.pdfbox.cos.*;
import org.apache.pdfbox.pdmodel.PDDocument;

/** The same walk as walk.js, with PDFBox 1.8. Run with: java -cp pdfbox.jar:commons-logging.jar Walk.java FILE */
public class Walk {
    static int entries, other;

    static void walk(COSDictionary node, String field) {
        COSBase kids = node.getDictionaryObject("Kids");
        if (kids != null) {
            for (int i = 0; i < ((COSArray) kids).size(); i++) {
                walk((COSDictionary) ((COSArray) kids).getObject(i), field);
            }
            return;
        }
        COSArray names = (COSArray) node.getDictionaryObject("Names");
        for (int i = 0; i + 1 < names.size(); i += 2) {
            COSDictionary set = (COSDictionary) names.getObject(i + 1);
            COSDictionary in = field.equals("AU") ? (COSDictionary) set.getDictionaryObject("SI") : set;
            COSString value = (COSString) in.getDictionaryObject(field);
            entries++;
            other += Arrays.equals(((COSString) names.getObject(i)).getBytes(), value.getBytes()) ? 0 : 1;
        }
    }

    public static void main(String[] args) throws Exception {
        PDDocument doc = PDDocument.loadNonSeq(new java.io.File(args[0]), null);
        COSDictionary catalog = (COSDictionary) doc.getDocument().getTrailer().getDictionaryObject("Root");
        COSDictionary names = (COSDictionary) catalog.getDictionaryObject("Names");
        walk((COSDictionary) names.getDictionaryObject("URLS"), "AU");
        walk((COSDictionary) names.getDictionaryObject("IDS"), "ID");
        System.out.println(entries + " entries, " + other + " unlike their content set");
        doc.close();
    }
}
